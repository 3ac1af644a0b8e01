// The part of the gateway on which calls of every kind of model depend.
import type { RedactorsOf } from '../../infra/lib/redaction.ts'
import type { Model, ModelKind } from '../../infra/models/catalog.ts'
import type { Providers } from '../../infra/models/providers.ts'
import type { CallWarning, ModelCaller } from './call.ts'
import type { ChainDeps } from './chain.ts'
import type { Media } from './media.ts'
import type { MeterDeps } from './meter.ts'

export interface ModelAccessDeps extends MeterDeps {
  /** Fetches media for a workspace, by its rules for addresses. */
  fetchMedia: (workspaceId: string, url: string, signal: AbortSignal) => Promise<Media>
  redactorsOf: RedactorsOf
}

/** A call whose chain of models is known. */
export interface Resolved {
  chain: Model[]
  warnings: CallWarning[]
}

export interface ModelAccess {
  readonly deps: ModelAccessDeps
  readonly chainDeps: ChainDeps
  readonly providers: Providers
  /** Throws ReferenceNotFound if none of the names is a model of this kind. */
  resolve(caller: ModelCaller, kind: ModelKind, names: string[]): Promise<Resolved>
}
