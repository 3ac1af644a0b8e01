// A feature: everything of one subject beside the core, in one folder. Its door, index.ts, exports this
// description; app/features.ts lists the features. The core imports none.
import type { FastifyInstance } from 'fastify'
import type { Config } from './config/index.ts'
import type { Db } from './db/index.ts'
import type { Task, WebhookRoute } from './delivery/index.ts'
import type { Context, FirstSteps, HttpServices, UpgradeRoute } from './http/index.ts'

/** By family and group of the contract: api/handlers.gen.ts. */
export type HandlersWith<Own> = Record<
  string,
  Record<string, Record<string, (context: Context<never, Own>, input: never) => unknown>>
>

/** `Own` are the services that its handlers and routes use. app/features.ts checks that they exist. */
export interface Feature<Own = never> {
  name: string
  handlers?: HandlersWith<Own>
  /** Slow steps before handlers, by operation (`family.name`). */
  firstSteps?: FirstSteps<never, Own>
  /** Adds routes outside of the contract. */
  routes?: (server: FastifyInstance, services: HttpServices & Own) => void
  /** Answers upgrades to WebSocket. */
  upgrades?: (server: FastifyInstance, services: HttpServices & Own) => Upgrades
  /** Further addresses that third parties call. */
  webhookRoutes?: WebhookRoute<Own>[]
  /** Periodic tasks. */
  tasks?(deps: { db: Db; config: Config }): Task[]
}

export interface Upgrades {
  route: UpgradeRoute
  /** Counts the open ones. */
  count: () => number
}
