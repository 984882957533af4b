# What `holdfast init` adds to `global` in a JavaScript or TypeScript project.
GLOBAL_RULE_7=Import from other folders through the project's path alias (such as @/), never through ../ chains.
