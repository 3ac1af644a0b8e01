// The endpoint to which the dashboard sends an archive of a workspace. The server imports it as it
// arrives, and responds after the commit. For owners of this installation's first workspace. Not part
// of the contract, which describes JSON.

import { Readable } from 'node:stream'
import { ApiError } from '@botstead/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { operators } from '../../../../core/accounts/index.ts'
import type { AuditServices } from '../../../../core/audit/index.ts'
import type { BlobServices } from '../../../../core/files/index.ts'
import {
  drain,
  type HttpServices,
  performAudited,
  readChunks,
  recordRejection,
  rejectFullDisk,
} from '../../../../core/http/index.ts'
import type { TableRuleServices } from '../../../../core/table-rules/index.ts'
import { ArchiveError } from '../../format/archive-error.ts'
import { type ImportResult, importWorkspace } from '../../import.ts'

type Own = AuditServices & BlobServices & HttpServices & TableRuleServices

const path = '/v1/platform/installation/imports'
const audited = {
  access: 'account',
  method: 'POST',
  name: 'platform.importWorkspace',
} as const
/** Closes a connection that is idle for this long. */
const idleMs = 60_000
/** A browser reads no response before it has sent the body, and loses it if the connection ends. */
const drained = { maxBytes: 2 ** 30, maxMs: 60_000 }
/** Unpacked; a small file can expand without end. */
const minUnpackedBytes = 2 ** 30
const maxExpansion = 100

export function serveImports(server: FastifyInstance, services: Own) {
  server.register(async (scope) => {
    scope.addHook('onRequest', async (request) => {
      try {
        await operators.admit(services, request, 'Imports')
      } catch (error) {
        await recordRejection(services, audited, request, error)
        throw error
      }
      rejectFullDisk(services)
    })
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.post(path, async (request, reply) => {
      request.raw.setTimeout(idleMs)
      try {
        return await importArchive(services, request)
      } catch (error) {
        if (!(await drain(request.raw, drained))) reply.header('connection', 'close')
        throw error instanceof ArchiveError
          ? new ApiError('InvalidPayload', error.message)
          : error
      }
    })
  })
}

/** The audit entry follows directly after the transaction, which the import opens itself. */
async function importArchive(services: Own, request: FastifyRequest) {
  let result: ImportResult | undefined
  await performAudited(services, audited, {
    request,
    input: { params: undefined, body: undefined },
    within: (work) => work(services),
    perform: async () => {
      result = await receiveArchive(services, request)
      return { workspace: result.heading.workspace }
    },
  })
  const { heading, signer, rows } = result!
  const { id, name } = heading.workspace
  return {
    workspace: { id, name },
    hasSecrets: heading.locked !== undefined,
    signer,
    rows,
  }
}

function receiveArchive(services: Own, { raw, headers }: FastifyRequest) {
  const body = Readable.from(readChunks(raw), { objectMode: false })
  const bytes = Number(headers['content-length'] ?? 0)
  return importWorkspace(services, body, {
    passphrase: passphraseIn(headers['x-botstead-passphrase']),
    signedBy: null,
    maxBytes: Math.max(minUnpackedBytes, maxExpansion * bytes),
    // The caller must not get a token of another account.
    createsToken: false,
  })
}

/** Percent-encoded, because headers have no other characters than those of Latin-1. */
function passphraseIn(header: string | string[] | undefined): string | null {
  if (typeof header !== 'string' || header === '') return null
  try {
    return decodeURIComponent(header)
  } catch {
    throw new ApiError(
      'InvalidPayload',
      'Percent-encode the header `x-botstead-passphrase`',
    )
  }
}
