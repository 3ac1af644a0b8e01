// How a person connects a channel: steps, checks and frequent problems, as data that the dashboard and the
// command line show.

export interface Guide {
  /** Before the channel is connected: they lead to the values of its settings. */
  steps: GuideStep[]
  /** After that. */
  laterSteps?: GuideStep[]
  /** How a person writes the first message. */
  firstMessage: string
  /** Mistakes that a browser finds while values are pasted. */
  checks: ValueCheck[]
  problems: { problem: string; remedy: string }[]
  /** Settings with a random text, for which people need no value of the provider. */
  invented?: string[]
  /** Settings that the provider cannot be asked about: only a message proves them. */
  unproved?: string[]
  /** Values that follow from the ending of another one; people may change them. */
  presets?: Preset[]
  /** Channels of the same kind by other providers, this one among them. */
  ways?: { name: string; title: string }[]
  /** To which address a test message can go although no person has written. */
  recipient?: { title: string; description: string }
}

export interface GuideStep {
  title: string
  /** In the words of the provider. Names of buttons are in quotes, values in backticks. */
  text: string
  links?: { title: string; url: string }[]
  /** Names of the settings that it leads to. */
  settings?: string[]
  /** Further ones, which most people leave empty. */
  folded?: string[]
  /** `value` may contain `{webhookUrl}` and names of settings in braces, which are escaped behind `=`. */
  copies?: { title: string; value: string }[]
  file?: GuideFile
  /** Only if the setting has this value. */
  only?: { setting: string; value: string }
}

export interface GuideFile {
  name: string
  title: string
  contentType: string
  make(values: GuideValues): Uint8Array
}

export interface GuideValues {
  botName: string
  /** Lacks settings before the channel is connected. */
  configuration: Record<string, unknown>
  /** Absent before the channel is connected. */
  webhookUrl?: string
}

export interface Preset {
  setting: string
  /** Of the value, in lower case. */
  endings: string[]
  /** Of other settings. */
  values: Record<string, string | number>
  note: string
  link?: { title: string; url: string }
}

/** Exactly one of the patterns, without flags; of the value without white space around it. */
export interface ValueCheck {
  setting: string
  /** Of a right value. */
  right?: string
  /** Of a value that is something else. */
  wrong?: string
  problem: string
}

/** Checks the whole shape of a value. */
export const isShaped = (
  setting: string,
  right: RegExp,
  problem: string,
): ValueCheck => ({
  setting,
  right: right.source,
  problem,
})

/** Recognizes a value that belongs somewhere else. */
export const isMistaken = (
  setting: string,
  wrong: RegExp,
  problem: string,
): ValueCheck => ({
  setting,
  wrong: wrong.source,
  problem,
})

/** Whether the channel needs a public address where its API has the standard one: not for servers of one's own. */
export const isAtProvider = ({ apiUrl }: Record<string, unknown>): boolean =>
  apiUrl === undefined || !localUrl.test(String(apiUrl).trim())

/** Names without a dot are those of a network, too. */
const localUrl =
  /^https?:\/\/(localhost|[\w-]+|127\.[\d.]+|10\.[\d.]+|192\.168\.[\d.]+|172\.(1[6-9]|2\d|3[01])\.[\d.]+|\[[\da-f:.]+\]|[\w.-]+\.(local|internal|test))(:\d+)?(\/|$)/i
