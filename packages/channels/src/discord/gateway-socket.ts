// A connection to Discord's gateway. Interactions are acknowledged as soon as they arrive, because Discord
// waits three seconds, and what arrived before them may still have to be stored.
import type { Context } from '../channel.ts'
import { type JsonSocket, openJsonSocket } from '../web-socket.ts'
import { acknowledge } from './interactions.ts'
import type { Interaction } from './types.ts'

export const openGatewaySocket = (context: Context, url: string): Promise<JsonSocket> =>
  openJsonSocket(context, `${url.replace(/\/+$/, '')}/?v=10&encoding=json`, {
    onMessage(text) {
      if (!text.includes('"INTERACTION_CREATE"')) return
      const { t, d } = JSON.parse(text) as { t?: string; d?: Interaction }
      // It may be too late, or a repetition, which changes nothing.
      if (t === 'INTERACTION_CREATE' && d) acknowledge(context, d).catch(() => {})
    },
  })
