// The only list of lists: which operations each family has, where it is mounted, and how large a body it takes.
// The bodies are counted in bytes as received, exactly: that many pass, one more is 413.
import type { Group, UnservedOperation } from './operation.ts'

export interface Family {
  title: string
  /** What stands before an operation's path in the URL. */
  prefix: string
  bodyLimit: number
  served: Record<string, Group>
  unserved: Record<string, UnservedOperation>
}

const MB = 1_048_576

export const apiVersion = '1.82.0'

export const families = {
  runtime: { title: 'Runtime', prefix: '', bodyLimit: 1 * MB, served: {}, unserved: {} },
  chat: { title: 'Chat', prefix: '/chat/{webhookId}', bodyLimit: 1 * MB, served: {}, unserved: {} },
  admin: { title: 'Admin', prefix: '', bodyLimit: 50 * MB, served: {}, unserved: {} },
  files: { title: 'Files', prefix: '', bodyLimit: 1 * MB, served: {}, unserved: {} },
  tables: { title: 'Tables', prefix: '', bodyLimit: 40 * MB, served: {}, unserved: {} },
} satisfies Record<string, Family>
export type FamilyName = keyof typeof families

/** Largest body that a third party may send to an integration, `/webhooks/{webhookId}/*`. */
export const webhookBodyLimit = 100 * MB
