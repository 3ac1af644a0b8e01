import { IntegrationDefinition, z } from '@botpress/sdk'
import { commonSecrets } from '@mini/depot'
import ledger from './bp_modules/ledger'

export default new IntegrationDefinition({
  name: 'courier',
  version: '1.2.0',
  title: 'Courier',
  description: 'Tracks parcels',
  icon: 'icon.svg',
  readme: 'hub.md',
  identifier: { extractScript: 'extract.vrl' },
  configuration: {
    schema: z.object({ depot: z.string() }),
    ui: { depot: { title: 'Depot' } },
  },
  secrets: { ...commonSecrets, COURIER_KEY: {} },
  entities: { parcel: { schema: z.object({ id: z.string(), weight: z.number() }) } },
  actions: {
    track: {
      title: 'Track',
      input: { schema: z.object({ id: z.string() }) },
      output: { schema: z.object({ place: z.string() }) },
    },
  },
}).extend(ledger, ({ entities }) => ({
  entities: { line: entities.parcel },
  actions: { record: { name: 'recordParcel' } },
}))
