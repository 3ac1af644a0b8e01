/** Names of the flows that the engine enters itself. */
export const builtInFlows = {
  main: 'main',
  error: 'error',
  timeout: 'timeout',
  conversationEnd: 'conversationEnd',
} as const

/** Prefix of names that are reserved for the engine. */
export const reservedPrefix = 'flows.'
