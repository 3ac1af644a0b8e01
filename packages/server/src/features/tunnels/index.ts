import type { Feature } from '../../core/feature.ts'
import { serveTunnels } from './api/tunnel.ts'

export const tunnels = { name: 'tunnels', upgrades: serveTunnels } satisfies Feature
