// A feature: everything of one subject beside the core, in one folder. Its door, index.ts, exports this
// description; app/modules.ts lists the features. The core imports none. Modules of the core have
// descriptions of the same shape.
import type { FastifyInstance } from 'fastify'
import type { Task, WebhookRoute } from './delivery/index.ts'
import type {
  Context,
  FirstSteps,
  HttpServices,
  Services,
  UpgradeRoute,
} from './http/index.ts'
import type { Tables } from './table-rules/index.ts'

/** By family and group of the contract: api/handlers.gen.ts. */
type HandlersWith<Own> = Record<
  string,
  Record<string, Record<string, (context: Context<never, Own>, input: never) => unknown>>
>

/**
 * `Own` are the services that its handlers and routes use, `Hooks` those that it adds functions to, and
 * `Early` exists before deliveries begin. app/modules.ts checks that all exist.
 */
export interface Feature<Own = never, Hooks = never, Early = never> {
  name: string
  /** The rules of its tables. */
  tables?: Tables
  /** How its services behave inside of a transaction (db/bindings.ts). */
  bindings?: object
  /** Builds its services, and what it needs to run. app/ calls it. */
  open?: (deps: never) => unknown
  /** Begins its work in the background. */
  start?: (deps: never) => unknown
  handlers?: HandlersWith<Own>
  /** Slow steps before handlers, by operation (`family.name`). */
  firstSteps?: FirstSteps<never, Own>
  /** Adds its functions to the hooks of deliveries, which begin before the server accepts requests. */
  deliveryHooks?: (hooks: Hooks, deps: Early) => void
  /** Adds its functions to the hooks of requests. */
  hooks?: (hooks: Hooks, services: HttpServices & Own) => void
  /** Adds routes outside of the contract. */
  routes?: (server: FastifyInstance, services: HttpServices & Own) => void
  /** Answers upgrades to WebSocket. */
  upgrades?: (server: FastifyInstance, services: HttpServices & Own) => Upgrades
  /** Further addresses that third parties call. */
  webhookRoutes?: WebhookRoute<Own>[]
  /** Periodic tasks. */
  tasks?: (services: Services & Own) => Task[]
}

export interface Upgrades {
  route: UpgradeRoute
  /** Counts the open ones. */
  count: () => number
}
