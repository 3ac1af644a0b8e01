// Lists the columns with encrypted values, and the context that each value is bound to: decryption
// needs its key and its context. A transfer to another installation decrypts and re-encrypts each
// value, and keeps the other text of the row.
import { randomBytes } from 'node:crypto'
import type { Secrets } from '../../../core/lib/secrets.ts'
import { ArchiveError } from './archive-error.ts'

interface SealedValue {
  /** The value in the row's JSON. */
  text: string
  encoding: 'hex' | 'base64'
  location: string
}
// biome-ignore lint/suspicious/noExplicitAny: a row of any table, as JSON
type Row = any

interface SealedColumn {
  /** The replacement in an archive without secrets. */
  empty: string
  /** Generates the value on import of an archive without secrets; null keeps `empty`. */
  fresh: (() => string) | null
  values(row: Row): SealedValue[]
}

/** Marks an omitted value; real encrypted values are longer. */
const mark = Buffer.from('left out')
const leftOutBytes = `'\\x${mark.toString('hex')}'::bytea`
const leftOutText = `\\x${mark.toString('hex')}`

const bytes = (text: string | null, location: string): SealedValue[] =>
  text === null ? [] : [{ text, encoding: 'hex', location }]
const named = (values: Record<string, string>, location: string): SealedValue[] =>
  Object.entries(values).map(([name, text]) => ({
    text,
    encoding: 'base64',
    location: `${location}/${name}`,
  }))
const configuration = (table: string): SealedColumn => ({
  empty: leftOutBytes,
  fresh: () => '{}',
  values: (row) => bytes(row.configuration, `${table}.configuration/${row.bot_id}/${row.alias}`),
})

export const sealedColumns: Record<string, Record<string, SealedColumn>> = {
  account_totp: {
    secret: {
      empty: leftOutBytes,
      fresh: null,
      values: (row) => bytes(row.secret, `account_totp.secret/${row.account_id}`),
    },
  },
  bot: {
    signing_secret: {
      empty: leftOutBytes,
      fresh: () => randomBytes(32).toString('base64url'),
      values: (row) => bytes(row.signing_secret, `bot.signing_secret/${row.id}`),
    },
    secrets: {
      empty: "'{}'::jsonb",
      fresh: null,
      values: (row) => named(row.secrets, `bot.secrets/${row.id}`),
    },
    retired_signing_secrets: {
      empty: "'[]'::jsonb",
      fresh: null,
      values: (row) =>
        row.retired_signing_secrets.map(({ secret }: Row) => ({
          text: secret,
          encoding: 'base64',
          location: `bot.signing_secret/${row.id}`,
        })),
    },
  },
  bot_mcp_server: {
    key: {
      empty: 'null::bytea',
      fresh: null,
      values: (row) => bytes(row.key, `bot_mcp_server.key/${row.bot_id}/${row.name}`),
    },
  },
  bot_plugin: { configuration: configuration('bot_plugin') },
  bot_version: {
    state: {
      empty: leftOutBytes,
      fresh: null,
      values: (row) => bytes(row.state, `bot_version.state/${row.bot_id}/${row.id}`),
    },
  },
  carried_key: {
    secret: {
      empty: leftOutBytes,
      fresh: null,
      values: (row) =>
        bytes(row.secret, `carried_key.secret/${row.bot_id}/${row.kind}/${row.name}`),
    },
  },
  idempotency_key: {
    answer: {
      empty: 'null::bytea',
      fresh: null,
      values: (row) => bytes(row.answer, `idempotency_key ${row.id.slice(2)}`),
    },
  },
  installation: { configuration: configuration('installation') },
  integration: {
    signing_secret: {
      empty: 'null::bytea',
      fresh: null,
      values: (row) => bytes(row.signing_secret, `integration.signing_secret/${row.id}`),
    },
    previous_signing_secret: {
      empty: 'null::bytea',
      fresh: null,
      values: (row) => bytes(row.previous_signing_secret, `integration.signing_secret/${row.id}`),
    },
  },
  model_provider: {
    key: {
      empty: 'null::bytea',
      fresh: null,
      values: (row) => bytes(row.key, `model_provider.key/${row.workspace_id}/${row.name}`),
    },
  },
  package_line: {
    secrets: {
      empty: "'{}'::jsonb",
      fresh: null,
      values: (row) => named(row.secrets, `package_line.secrets/${row.id}`),
    },
  },
}

/** Bytea columns that are not encrypted. Every other bytea column needs an entry in this file. */
export const plainBytes = [
  'audit_chain.hash',
  'audit_record.hash',
  'bot_version.code_hash',
  'bot_version_code.hash',
  'idempotency_key.id',
  'idempotency_key.request',
  'invitation.hash',
  'issue.fingerprint',
  'package_asset.content',
  'passage_vector.vector',
  'recovery_code.hash',
  'session.hash',
  'session.previous_hash',
  'sign_in_link.hash',
  'token.hash',
]

/** Tables that are useless without secrets. */
export const onlyWithSecrets = ['bot_version', 'bot_version_code', 'carried_key']

export type ValueOpener = Pick<Secrets, 'open'>
export type ValueSealer = Pick<Secrets, 'seal'>

export interface ResealOptions {
  /** Null if there is nothing to decrypt: `fresh` then replaces omitted values. */
  from: ValueOpener | null
  to: ValueSealer
  workspaceId: string
}

/**
 * Returns a function for the rows of a table, as JSON; null for a table without encrypted values.
 * Throws ArchiveError if decryption fails.
 */
export function createResealer(
  table: string,
  how: ResealOptions,
): ((line: string) => Promise<string>) | null {
  const columns = sealedColumns[table]
  if (!columns) return null
  return async (line) => {
    const row = JSON.parse(line)
    let text = line
    for (const { values, fresh } of Object.values(columns))
      for (const value of values(row)) text = await resealed(text, value, fresh, how)
    return text
  }
}

async function resealed(
  line: string,
  { text, encoding, location }: SealedValue,
  fresh: SealedColumn['fresh'],
  { from, to, workspaceId }: ResealOptions,
) {
  const plain =
    text === leftOutText
      ? fresh?.()
      : await open(from, Buffer.from(encoding === 'hex' ? text.slice(2) : text, encoding), location)
  if (plain === undefined) throw new ArchiveError(`${location} is empty in the archive`)
  const sealed = (await to.seal(workspaceId, plain, location)).toString(encoding)
  return line.replaceAll(JSON.stringify(text), () =>
    JSON.stringify(encoding === 'hex' ? `\\x${sealed}` : sealed),
  )
}

async function open(from: ValueOpener | null, sealed: Buffer, location: string): Promise<string> {
  if (!from) throw new ArchiveError(`The archive should have no secrets, but contains ${location}`)
  try {
    return await from.open(sealed, location)
  } catch (error) {
    throw new ArchiveError(
      `Cannot decrypt ${location}: the archive or the database was modified, or the key is wrong`,
      { cause: error },
    )
  }
}
