// Libraries for the code of authors. A bot loads those that its document names: together, they take longer
// to start than the engine, and much memory.
import type { Client } from '@botpress/client'
import { findLibraryNames, type LibraryName } from './library-names.ts'

export interface Libraries {
  axios?: unknown
  _?: unknown
  /** The official client, which needs the address and the token of the bot. */
  Client?: typeof Client
}

/** Bundles contain these imports, and run them when they are called. */
const loaders: Record<LibraryName, () => Promise<Libraries>> = {
  axios: async () => ({ axios: (await import('axios')).default }),
  _: async () => ({ _: (await import('./lodash-without-code.ts')).lodashWithoutCode }),
  client: async () => ({ Client: (await import('@botpress/client')).Client }),
}

export async function loadLibraries(program: unknown): Promise<Libraries> {
  const named = [...findLibraryNames(program)]
  return Object.assign({}, ...(await Promise.all(named.map((name) => loaders[name]()))))
}
