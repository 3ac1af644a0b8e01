// A page for each channel, from its guide and its settings. Requires a build.
import { channels } from '../../packages/channels/dist/index.js'
import { table } from './marked.js'

const intro = ({ title, name }) =>
  `Open the bot in [the dashboard](../dashboard.md), then **Integrations**, **Connect a channel or service**,
**${title}**. The page there has these steps, checks what you paste, and shows when the first message
has arrived. On the [command line](../command-line.md), \`botstead channels steps ${name}\` prints them.`

/** Returns the pages of all channels, with their paths. */
export const channelPages = () =>
  channels.map((channel) => ({
    path: `docs/channels/${channel.name}.md`,
    text: toPage(channel),
  }))

/** Returns the rows of the contents of the documentation. */
export const channelContents = () =>
  table(
    ['Page', 'Subject'],
    channels.map(({ name, title }) => [
      `[${title}](channels/${name}.md)`,
      `connect a bot with ${title}, step by step`,
    ]),
  )

function toPage(channel) {
  const { title, description, guide, definition } = channel
  const settings = definition.configuration.schema
  const connect = `**Connect.** Press **Connect**: the server asks the provider to accept the values.`
  const steps = [
    ...guide.steps.map((step) => toStep(step, settings)),
    connect,
    ...(guide.laterSteps ?? []).map((step) => toStep(step, settings)),
    `**Write the first message.** ${guide.firstMessage} The light becomes green, and the ` +
      'conversation is in **Conversations**.',
  ]
  return `# ${title}

<!-- Generated from packages/channels. Do not edit. -->

${description}

See also: [channels](../channels.md), for what people see of each message.

## Steps

${intro(channel)}

${steps.map((step, i) => `${i + 1}. ${step}`).join('\n')}

## Settings

${table(['Setting', 'Name', 'Meaning'], listSettings(settings))}

## Frequent problems

${table(
  ['Problem', 'Remedy'],
  guide.problems.map(({ problem, remedy }) => [problem, remedy]),
)}
`
}

function toStep(
  { title, text, links = [], settings = [], folded = [], copies = [], file, only },
  { properties },
) {
  const toNames = (settings) =>
    settings.map((name) => `**${properties[name]?.title ?? name}**`).join(', ')
  return [
    `**${title}.**`,
    ...(only
      ? [`Only with \`${only.value}\` as **${properties[only.setting].title}**.`]
      : []),
    text,
    ...links.map(({ title, url }) => `[${title}](${url}).`),
    ...copies.map(
      ({ title, value }) => `${title} to copy: ${toCopied(value, properties)}.`,
    ),
    ...(file ? [`The page of the dashboard has the file **${file.title}**.`] : []),
    ...(settings.length > 0 ? [`Enter ${toNames(settings)}.`] : []),
    ...(folded.length > 0 ? [`If needed: ${toNames(folded)}.`] : []),
  ].join(' ')
}

/** The page of the dashboard has the address itself. */
function toCopied(value, properties) {
  if (value === '{webhookUrl}') return 'the webhook address'
  const [, name] = /^\{(\w+)\}$/.exec(value) ?? []
  if (name !== undefined) return `the value of **${properties[name].title}**`
  const text = value.replaceAll(/\{(\w+)\}/g, (_, setting) =>
    setting === 'webhookUrl' ? '<webhook address>' : `<${properties[setting].title}>`,
  )
  return `\`${text}\``
}

const listSettings = ({ properties, required }) =>
  Object.entries(properties).map(([name, { title, description }]) => [
    title,
    `\`${name}\`${required.includes(name) ? ', required' : ''}`,
    description,
  ])
