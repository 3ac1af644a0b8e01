// Libraries for the code of authors. A bot loads those that its document names: together, they take longer
// to start than the engine, and much memory.
import type { Client } from '@botpress/client'

export interface Libraries {
  axios?: unknown
  _?: unknown
  /** The official client, which needs the address and the token of the bot. */
  Client?: typeof Client
}

/** By the global of code that needs it. Bundles contain these imports, and run them when they are called. */
const loaders: Record<string, () => Promise<Libraries>> = {
  axios: async () => ({ axios: (await import('axios')).default }),
  _: async () => ({ _: (await import('./lodash-without-code.ts')).lodashWithoutCode }),
  client: async () => ({ Client: (await import('@botpress/client')).Client }),
}

const globals = new RegExp(`(?<![\\w$])(?:${Object.keys(loaders).join('|')})(?![\\w$])`, 'g')

/** Any word counts, also in a sentence: a library too many only takes time. */
export async function loadLibraries(program: unknown): Promise<Libraries> {
  const named = [...findWords(program)].sort()
  return Object.assign({}, ...(await Promise.all(named.map((name) => loaders[name]!()))))
}

function findWords(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value === 'string') for (const [name] of value.matchAll(globals)) found.add(name)
  if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) findWords(part, found)
  return found
}
