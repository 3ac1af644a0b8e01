import { type Guide, type GuideFile, isMistaken, isShaped } from '../guide.ts'
import { botEvents, makeManifest, scopes } from './manifest.ts'

const apps = { title: 'Open api.slack.com/apps', url: 'https://api.slack.com/apps' }

const manifest: GuideFile = {
  name: 'slack-manifest.json',
  title: 'Manifest of the app',
  contentType: 'application/json',
  make: makeManifest,
}

export const guide: Guide = {
  steps: [
    {
      title: 'Create the app',
      text:
        'Press "Create New App", "From a manifest", choose the workspace, and paste the content of the ' +
        'file below in place of the example ("JSON"). Nothing else is to enter: the file contains the ' +
        'scopes and ' +
        'bot events, which are listed here for an app that exists.',
      links: [{ title: 'Create the app', url: 'https://api.slack.com/apps?new_app=1' }],
      file: manifest,
      copies: [
        { title: 'Bot token scopes', value: scopes.join(', ') },
        { title: 'Bot events', value: botEvents.join(', ') },
      ],
    },
    {
      title: 'Install it and copy the bot token',
      text: '"Install App", "Install to Workspace". Copy the "Bot User OAuth Token".',
      links: [apps],
      settings: ['botToken'],
    },
    {
      title: 'Generate the app-level token',
      text:
        '"Basic Information", "App-Level Tokens", "Generate Token and Scopes": add the scope ' +
        '`connections:write`, and press "Generate".',
      copies: [{ title: 'Scope', value: 'connections:write' }],
      settings: ['appToken'],
      only: { setting: 'receiveBy', value: 'connection' },
    },
    {
      title: 'Copy the signing secret',
      text: '"Basic Information", "App Credentials", "Signing Secret", "Show".',
      settings: ['signingSecret'],
      only: { setting: 'receiveBy', value: 'webhook' },
    },
  ],
  laterSteps: [
    {
      title: 'Enter the address',
      text:
        'This way needs a public address of this server. At "Socket Mode": switch it off. Then enter ' +
        'the address at "Event Subscriptions" and at ' +
        '"Interactivity & Shortcuts".',
      links: [apps],
      copies: [{ title: 'Request URL', value: '{webhookUrl}' }],
      only: { setting: 'receiveBy', value: 'webhook' },
    },
  ],
  firstMessage:
    'In Slack, open the app below "Apps", tab "Messages", and write to it. In a channel, invite it ' +
    'first: write `/invite` and its name.',
  checks: [
    isMistaken(
      'botToken',
      /^xapp-/,
      'This is the app-level token. The bot token begins with xoxb-: "Install App".',
    ),
    isMistaken(
      'botToken',
      /^xoxp-/,
      'This is a user token. The bot token begins with xoxb-, and is below it.',
    ),
    isMistaken(
      'botToken',
      /^xoxe/,
      'Token rotation is on. Use an app without it: its token begins with xoxb-.',
    ),
    isShaped('botToken', /^xoxb-[\w-]{10,}$/, 'The bot token begins with xoxb-.'),
    isMistaken(
      'appToken',
      /^xox/,
      'This is the bot token. The app-level token begins with xapp-: "Basic Information".',
    ),
    isShaped('appToken', /^xapp-[\w-]{10,}$/, 'The app-level token begins with xapp-.'),
    isShaped(
      'signingSecret',
      /^[0-9a-f]{32}$/,
      'A signing secret has 32 characters from 0 to 9 and a to f. "Verification Token" is another.',
    ),
  ],
  problems: [
    {
      problem: 'Slack does not know this token',
      remedy: 'Copy it again after "Install App": installing again makes another token.',
    },
    {
      problem: 'The app lacks a scope',
      remedy:
        'Add it at "OAuth & Permissions", "Bot Token Scopes", then install the app again.',
    },
    {
      problem: 'Socket Mode is off',
      remedy:
        'Switch it on at "Socket Mode", or create the app from the manifest of step 1.',
    },
    {
      problem: 'The two tokens are of different apps',
      remedy: 'Copy both from the same app. Its name is at the top left.',
    },
    {
      problem: 'People cannot write to the app, or some messages are missing',
      remedy:
        'Switch on "App Home", "Messages Tab". Another program with the same app-level token gets a ' +
        'part of the messages: stop it.',
    },
  ],
  unproved: ['signingSecret'],
  recipient: {
    title: 'Id of a channel or person',
    description:
      'Begins with C, G, D or U: the name, "View details", at the bottom. The bot must be in the channel.',
  },
}
