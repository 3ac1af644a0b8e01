import type { Feature } from '../../core/feature.ts'
import { serveArrivals } from './api/platform/arrivals.ts'
import type { MoveServices } from './services.ts'

export const moves: Feature<MoveServices> = { name: 'moves', routes: serveArrivals }
