// A feature: everything of one subject beside the core, in one folder. Its door, index.ts, exports this
// description; app/features.ts lists the features. The core imports none.
import type { FastifyInstance } from 'fastify'
import type { WebhookRoute } from './api/index.ts'
import type { Config } from './config/index.ts'
import type { Db } from './db/index.ts'
import type { Task } from './delivery/index.ts'
import type { FirstSteps, Services, UpgradeRoute } from './http/index.ts'

/** `Own` are the services of features that its routes use. */
export interface Feature<Own = never> {
  name: string
  /** By family and group of the contract: api/handlers.gen.ts. */
  handlers?: Record<string, Record<string, object>>
  /** Slow steps before handlers, by operation (`family.name`). */
  firstSteps?: FirstSteps<never>
  /** Adds routes outside of the contract. */
  routes?(server: FastifyInstance, services: Services & Own): void
  /** Answers upgrades to WebSocket. */
  upgrades?(server: FastifyInstance, services: Services & Own): Upgrades
  /** Further addresses that third parties call. */
  webhookRoutes?: WebhookRoute[]
  /** Periodic tasks. */
  tasks?(deps: { db: Db; config: Config }): Task[]
}

export interface Upgrades {
  route: UpgradeRoute
  /** Counts the open ones. */
  count: () => number
}
