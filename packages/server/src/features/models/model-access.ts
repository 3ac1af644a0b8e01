// The part of the gateway on which calls of every kind of model depend.
import type { GetRedactors } from '../../core/compute/index.ts'
import type { CallWarning, ModelCaller } from './gateway/call.ts'
import type { ChainDeps } from './gateway/chain.ts'
import type { Media } from './gateway/media.ts'
import type { MeterDeps } from './gateway/meter.ts'
import type { Model, ModelKind } from './providers/catalog.ts'
import type { Providers } from './providers/providers.ts'

export interface ModelAccessDeps extends MeterDeps {
  /** Fetches media for a workspace, by its rules for addresses. */
  fetchMedia: (workspaceId: string, url: string, signal: AbortSignal) => Promise<Media>
  getRedactors: GetRedactors
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
