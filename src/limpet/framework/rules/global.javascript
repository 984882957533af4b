# What `global` has besides in a JavaScript or TypeScript project.
GLOBAL_RULE_4=Import from other folders through the project's path alias (such as @/), never through ../ chains.
