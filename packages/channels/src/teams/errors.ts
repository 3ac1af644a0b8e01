// Errors of Microsoft in plain words, with the remedy.

const logins: [RegExp, string][] = [
  [
    /AADSTS7000215/,
    'The client secret is wrong: copy the column "Value", not "Secret ID", at ' +
      'portal.azure.com: your Azure Bot, Configuration, Manage Password.',
  ],
  [
    /AADSTS7000222/,
    'The client secret has expired: make another one at portal.azure.com: your Azure Bot, ' +
      'Configuration, Manage Password, New client secret.',
  ],
  [
    /AADSTS(?:700016|7000229)/,
    'Microsoft does not find the app in this organization: compare the Microsoft App ID. A bot ' +
      'of the type Single Tenant needs its App Tenant ID, too.',
  ],
  [
    /AADSTS(?:90002|900023|900021)/,
    'Microsoft does not know the App Tenant ID: copy it from portal.azure.com: your Azure Bot, ' +
      'Configuration.',
  ],
  [
    /AADSTS(?:900144|7000216|7000218)/,
    'The Microsoft App ID or the client secret is missing: copy both from portal.azure.com: ' +
      'your Azure Bot, Configuration.',
  ],
]

const answers: [RegExp, string][] = [
  [
    /BotNotInConversationRoster|BotDisabledByAdmin|ForbiddenOperation|ConversationBlockedByUser/i,
    'The app is not, or no longer, part of the conversation, or an administrator of Teams has ' +
      'blocked it: install it there.',
  ],
  [
    /ConversationNotFound|BotNotRegistered|bot.*not.*registered/i,
    'Teams does not know the conversation for this bot: add the channel Microsoft Teams at ' +
      'portal.azure.com: your Azure Bot, Channels.',
  ],
  [
    /MessageSizeTooBig|RequestEntityTooLarge/i,
    'The message is larger than Teams admits.',
  ],
]

const find = (explanations: [RegExp, string][], said: string) =>
  explanations.find(([pattern]) => pattern.test(said))?.[1]

/** The rest of the description, with ids of requests, says nothing to people. */
export function explainLogin(description: string): string {
  const said =
    description
      .split(/[\r\n]|Trace ID/)[0]
      ?.trim()
      .slice(0, 300) ?? ''
  const found = find(logins, description) ?? 'Microsoft does not accept the settings.'
  return `${found} (Microsoft: ${said})`
}

export function explain(status: number, said: string): string {
  const unauthorized =
    'Teams does not accept the token of this app: add the channel Microsoft Teams at ' +
    'portal.azure.com: your Azure Bot, Channels, and compare Microsoft App ID and App Tenant ' +
    'ID.'
  const found = status === 401 ? unauthorized : find(answers, said)
  return found ? `${found} (Teams: ${said})` : `Teams: ${said}`
}
