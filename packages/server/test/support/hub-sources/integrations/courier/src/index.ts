import * as bp from '.botpress'
import { toShelf } from '@mini/depot'

export default new bp.Integration({
  register: async () => {},
  unregister: async () => {},
  channels: {},
  handler: async () => {},
  actions: {
    track: async ({ input, ctx }) => ({
      place: `${input.id}: ${toShelf('3.1.0')} of ${ctx.configuration.depot} by ${bp.secrets.COURIER_KEY}`,
    }),
    recordParcel: async ({ input }) => ({ line: input.line }),
  },
})
