import { type Static, Type as T } from 'typebox'
import { closed, dictionary, nullable, Timestamp } from '../../fields.ts'
import { InstallationStatus } from '../bots/installation.ts'

const text = T.Optional(T.String())

const GuideLink = closed({ title: T.String(), url: T.String() })

/**
 * A step of connecting a channel. Values to copy may contain `{webhookUrl}` and names of settings in braces,
 * which are escaped for a URL behind `=`. With `only`, the step is for one value of a setting. `folded`:
 * further settings, which most people leave empty. Files are base64.
 */
const GuideStep = closed({
  title: T.String(),
  text: T.String(),
  links: T.Array(GuideLink),
  settings: T.Array(T.String()),
  folded: T.Array(T.String()),
  copies: T.Array(closed({ title: T.String(), value: T.String() })),
  file: T.Optional(
    closed({
      name: T.String(),
      title: T.String(),
      contentType: T.String(),
      base64: T.String(),
    }),
  ),
  only: T.Optional(closed({ setting: T.String(), value: T.String() })),
})
export type GuideStep = Static<typeof GuideStep>

/**
 * How to connect a channel: steps, checks of values by regular expressions (of a `right` or a `wrong` value),
 * and frequent problems. `unproved`: settings that only a message proves. `presets`: values of other
 * settings that follow from the ending of a value, in lower case. `ways`: channels of the same kind by other
 * providers, this one among them. `addressProblem`: why its provider cannot call this server. @component
 */
export const ChannelGuide = closed({
  name: T.String(),
  title: T.String(),
  description: T.String(),
  integrationId: T.String(),
  /** JSON Schema of the configuration. */
  schema: T.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
  }),
  steps: T.Array(GuideStep),
  laterSteps: T.Array(GuideStep),
  firstMessage: T.String(),
  checks: T.Array(
    closed({ setting: T.String(), right: text, wrong: text, problem: T.String() }),
  ),
  problems: T.Array(closed({ problem: T.String(), remedy: T.String() })),
  /** Settings with a random text. */
  invented: T.Array(T.String()),
  unproved: T.Array(T.String()),
  presets: T.Array(
    closed({
      setting: T.String(),
      endings: T.Array(T.String()),
      values: dictionary(T.Union([T.String(), T.Integer()])),
      note: T.String(),
      link: T.Optional(GuideLink),
    }),
  ),
  /** The provider cannot be asked whether it accepts the values. */
  isProvedByMessages: T.Boolean(),
  ways: T.Array(closed({ name: T.String(), title: T.String() })),
  /** The address that a test message admits. */
  recipient: T.Optional(closed({ title: T.String(), description: T.String() })),
  addressProblem: text,
})
export type ChannelGuide = Static<typeof ChannelGuide>

/** The account of a bot at a provider. `link` begins a chat with the bot on a phone. @component */
export const ChannelAccount = closed({ name: text, link: text })
export type ChannelAccount = Static<typeof ChannelAccount>

/**
 * A channel in a bot. `since`: when the state began. Times of messages are exact to some seconds. `lastError`
 * contains the remedy; it is over if `isOver`. `isForged`: a request had no right signature, and no message
 * with one has arrived since. `isProved`: a message has arrived since the configuration last changed.
 * `warning`: another connection of the server has the same account. @component
 */
export const ChannelState = closed({
  alias: T.String(),
  name: T.String(),
  title: T.String(),
  receivesBy: T.Enum(['connection', 'webhook']),
  enabled: T.Boolean(),
  status: InstallationStatus,
  statusReason: nullable(T.String()),
  since: Timestamp,
  webhookUrl: T.String(),
  account: ChannelAccount,
  warning: text,
  isProved: T.Boolean(),
  lastReceivedAt: T.Optional(Timestamp),
  lastSentAt: T.Optional(Timestamp),
  lastError: T.Optional(
    closed({
      at: Timestamp,
      message: T.String(),
      of: T.Enum(['receiving', 'sending']),
      isOver: T.Boolean(),
      isForged: T.Optional(T.Boolean()),
    }),
  ),
})
export type ChannelState = Static<typeof ChannelState>

/**
 * The answer of a provider. `problem` contains the remedy; null: all is right. `warning`: another connection
 * of the server has the same account. @component
 */
export const ChannelCheck = closed({
  account: ChannelAccount,
  problem: nullable(T.String()),
  warning: text,
})
export type ChannelCheck = Static<typeof ChannelCheck>
