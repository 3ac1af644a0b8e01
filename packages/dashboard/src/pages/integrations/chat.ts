import { texts } from '../../texts/texts.ts'

/** The server itself answers the requests of these integrations. */
export const isChat = ({ name }: { name: string }) =>
  name === 'chat' || name === 'webchat'

const t = texts.integrations

/** `bp chat` accepts only its own major version of the integration `chat`. */
export function toVersion({ name, version }: { name: string; version: string }): string {
  if (!isChat({ name })) return t.version(version)
  const major = version.split('.')[0]!
  return name === 'chat' ? t.builtInChat(major) : t.builtIn(major)
}
