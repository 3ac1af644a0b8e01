// A family is one of the server's APIs. Its folder has its operations and `family.ts` with its facts;
// `registry.gen.ts` lists all.
import type { Group, UnservedOperation } from './operation.ts'

/** The version of the external contract. */
export const apiVersion = '1.82.0'

/** Bytes of a mebibyte. */
export const MB = 1_048_576

export interface FamilyFacts {
  /** Among the families, from 1: lists show the most used ones first. */
  position: number
  title: string
  /** Precedes an operation's path in the URL. */
  prefix: string
  /**
   * Maximum size of a body in bytes as received: the server accepts exactly that many and answers one
   * more with 413.
   */
  bodyLimit: number
  unserved: Record<string, UnservedOperation>
  /** Stability tags of the OpenAPI document and its operations, as in the external document. */
  stability?: readonly ('documented' | 'experimental')[]
  /**
   * The family has no external document to compare with: only Botstead or newer clients have it.
   */
  own?: true
}

export interface Family extends FamilyFacts {
  served: Record<string, Group>
}

/** Limits the bodies that third parties send to integrations (`/webhooks/{webhookId}/*`). */
export const webhookBodyLimit = 100 * MB
