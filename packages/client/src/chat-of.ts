interface Installed {
  name: string
  enabled: boolean
}

/**
 * Returns the alias and the installation of the chat that people use: the bot's webchat, or else its
 * chat, as `getBotWebchat` chooses it. Undefined without either.
 */
export function chatOf<One extends Installed>(
  integrations: Record<string, One>,
): [alias: string, installation: One] | undefined {
  const enabled = Object.entries(integrations).filter(([, { enabled }]) => enabled)
  const named = (wanted: string) => enabled.find(([, { name }]) => name === wanted)
  return named('webchat') ?? named('chat')
}
