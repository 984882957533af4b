# What `story` has besides in a JavaScript or TypeScript project.
STORY_RULE_10=Import from other folders through the project's path alias (such as @/), never through ../ chains.
