/** The flows that the engine itself goes to, by their names in the document. */
export const builtInFlows = {
  main: 'main',
  error: 'error',
  timeout: 'timeout',
  conversationEnd: 'conversationEnd',
} as const
