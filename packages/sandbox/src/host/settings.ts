// Settings of the process of a bot, which the server sends with the code.

export const settings = {
  apiOrigin: null as string | null,
  responseBytes: 0,
  memoryMb: 0,
  functionName: 'botstead',
}
