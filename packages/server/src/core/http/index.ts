import { FairTurns } from '@botstead/lib'
import type { Section } from '../config/index.ts'
import type { Database } from '../db/index.ts'
import type { Secrets } from '../sealing/index.ts'
import { createUserKeys } from './callers/user-keys.ts'
import { createPageTokens } from './handlers/page-tokens.ts'
import type { HttpHooks } from './hooks.ts'
import { serveOpenApi } from './open-api.ts'
import { openLimitedCalls } from './rates/limited-calls.ts'
import { openRates, type RatesOptions } from './rates/rates.ts'
import { rateBindings } from './rates/services.ts'
import { removeOldWindows } from './rates/store.ts'
import { httpBindings, type Services, serviceBindings } from './services.ts'
import { ListenerLimits } from './streams/listener-limits.ts'
import { tables } from './table-rules.ts'

/** Concurrent credential look-ups for principals with too many invalid credentials. */
const maxLookUps = 4

export const httpModule = {
  name: 'http',
  tables,
  bindings: { ...serviceBindings, ...httpBindings, ...rateBindings },
  createHooks: (): HttpHooks => ({ relocator: null, answered: [] }),
  routes: serveOpenApi,
  open: async ({ database, config, secrets, chatKey, ...options }: Deps) => ({
    services: {
      userKeys: createUserKeys(chatKey),
      pageTokens: createPageTokens(secrets.derive('page tokens')),
      lookUpTurns: new FairTurns({ capacity: maxLookUps }),
      listenerLimits: new ListenerLimits(config),
      rates: await openRates(database, config.limits, options),
      limitedCalls: openLimitedCalls(),
    },
  }),
  tasks: ({ db }: Services) => [{ everyMs: 60_000, run: () => removeOldWindows(db) }],
}

interface Deps extends RatesOptions {
  database: Database
  config: Pick<Section<'http'> & Section<'limits'>, 'trustProxy' | 'limits'>
  secrets: Pick<Secrets, 'derive'>
  chatKey: string
}

export { performAudited, recordRejection } from './audit.ts'
export type { NewAuditRecord } from './audit-log.ts'
export { rejectEncodings } from './body/body.ts'
export { readAll } from './body/body-reader.ts'
export { drain, readChunks } from './body/drain.ts'
export { parseJsonInSlices } from './body/json.ts'
export { sendInTurns } from './body/large-response.ts'
export { authentication, sessionHeader } from './callers/authenticate.ts'
export type {
  CallerFinder,
  CallerSession,
  Invalidation,
  UserKey,
} from './callers/callers.ts'
export { cookieIn, toCookie } from './callers/cookies.ts'
export { lendCaller } from './callers/lent-callers.ts'
export { isVisibleBot } from './callers/visible-bots.ts'
export type { FirstSteps } from './endpoint.ts'
export { toDate } from './handlers/moments.ts'
export { operated, operatedByPerson } from './handlers/operated.ts'
export { operatorPage } from './handlers/operator-page.ts'
export { getAddress, getOrigin } from './handlers/origin.ts'
export {
  creationPosition,
  type PagedQuery,
  type PageRequest,
  pageInBot,
  parsePage,
  textPosition,
  timePosition,
  toListPage,
} from './handlers/paging.ts'
export { runtimePage } from './handlers/runtime-page.ts'
export { getViewer } from './handlers/viewer.ts'
export type { HttpHooks } from './hooks.ts'
export type { MessageOperation } from './input/idempotency-key.ts'
export { splitTarget } from './input/request-target.ts'
export { compileLargeSchemas, schemaTest } from './input/validation.ts'
export { getPrincipal, isHosted } from './limits/connections.ts'
export { rejectFullDisk } from './limits/full-disk.ts'
export { RateLimited, rateLimits } from './limits/rate-limits.ts'
export type { Timeouts } from './limits/timeouts.ts'
export { isLocal } from './metrics-endpoint.ts'
export { inRequest } from './observe.ts'
export { openServer } from './open-server.ts'
export { createOperationCalls } from './operation-calls.ts'
export { OwnApi } from './own-api.ts'
export { byteRange } from './pages/byte-range.ts'
export { chooseLanguage } from './pages/page-language.ts'
export { type PageOptions, servePages } from './pages/pages.ts'
export type { RateServices } from './rates/services.ts'
export { errorReplies } from './reply-error.ts'
export type { Caller, Context, Contexts, HttpServices, Services } from './services.ts'
export { EventStream, openStreams, toSharedJson } from './streams/event-stream.ts'
export type { Handshake } from './streams/handshake.ts'
export { sendLines } from './streams/line-stream.ts'
export { serveUpgrades, type UpgradeRoute } from './streams/upgrades.ts'
export { surviveExceptions } from './uncaught.ts'
