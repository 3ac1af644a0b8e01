// The channels that come with the server.
import { api } from './api/definition.ts'
import type { ChannelEntry } from './channel.ts'
import { discord } from './discord/definition.ts'
import { email } from './email/definition.ts'
import { googlechat } from './googlechat/definition.ts'
import { instagram } from './instagram/definition.ts'
import { line } from './line/definition.ts'
import { matrix } from './matrix/definition.ts'
import { messenger } from './messenger/definition.ts'
import { slack } from './slack/definition.ts'
import { sms } from './sms/definition.ts'
import { teams } from './teams/definition.ts'
import { telegram } from './telegram/definition.ts'
import { twilio } from './twilio/definition.ts'
import { whatsapp } from './whatsapp/definition.ts'

export const channels: ChannelEntry[] = [
  telegram,
  whatsapp,
  messenger,
  instagram,
  slack,
  teams,
  googlechat,
  discord,
  line,
  twilio,
  sms,
  matrix,
  email,
  api,
]
