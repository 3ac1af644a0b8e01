// The services of this feature, which its handlers receive beside those of the core, and how they behave
// inside of a transaction.
import type { Bindings } from '../../core/db/index.ts'
import type { Outgoing } from '../../core/outgoing/index.ts'
import type { LiveSettings } from './live-settings.ts'

export interface ServerSettingServices {
  /** The settings of the dashboard. */
  serverSettings: Pick<LiveSettings, 'findVariable' | 'reload'>
  /** For the tests of settings. */
  connections: Pick<Outgoing, 'for' | 'resolve'>
}

export const bindings = {
  serverSettings: { reload: 'deferred' },
  connections: 'unchanged',
} satisfies Bindings<ServerSettingServices>
