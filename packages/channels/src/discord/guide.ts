import { type Guide, isMistaken, isShaped } from '../guide.ts'

const portal = {
  title: 'Open the Developer Portal',
  url: 'https://discord.com/developers/applications',
}

export const guide: Guide = {
  steps: [
    {
      title: 'Create the application',
      text: 'In the Developer Portal, press "New Application" and give it the name of your bot.',
      links: [portal],
    },
    {
      title: 'Let it read messages',
      text: 'At "Bot", "Privileged Gateway Intents": switch on "Message Content Intent", and save.',
    },
    {
      title: 'Copy the token',
      text: 'At "Bot": press "Reset Token", and copy it. Discord shows it once.',
      settings: ['botToken'],
    },
  ],
  laterSteps: [
    {
      title: 'Invite the bot',
      text:
        'At "OAuth2", "URL Generator": choose the scopes `bot` and `applications.commands` and the ' +
        'permissions, open the address below, and choose your server.',
      links: [portal],
      copies: [
        {
          title: 'Permissions',
          value:
            'View Channels, Send Messages, Send Messages in Threads, Embed Links, Attach Files, ' +
            'Read Message History',
        },
      ],
    },
  ],
  firstMessage:
    'Write to the bot in Discord: a direct message, or in a channel of your server.',
  checks: [
    isMistaken(
      'botToken',
      /^[0-9a-f]{64}$/,
      'This is the public key of "General Information". The token is at "Bot", "Reset Token".',
    ),
    isMistaken(
      'botToken',
      /^\d{17,20}$/,
      'This is the application ID. The token is at "Bot", "Reset Token".',
    ),
    isMistaken(
      'botToken',
      /^[\w-]{32}$/,
      'This is the client secret of "OAuth2". The token is at "Bot", "Reset Token".',
    ),
    isShaped(
      'botToken',
      /^[\w-]+\.[\w-]+\.[\w-]+$/,
      'A bot token has three parts with dots between, and no "Bot" in front.',
    ),
  ],
  problems: [
    {
      problem: 'Discord does not know this bot token',
      remedy: 'Press "Reset Token" at "Bot", and copy the new one: the former ended.',
    },
    {
      problem: 'The application may not read messages',
      remedy:
        'Switch on "Message Content Intent" at "Bot"; or switch on "Require bot mention" here.',
    },
    {
      problem: 'The bot does not see a channel',
      remedy:
        'Give its role the permission "View Channel" there, or invite it to the server.',
    },
    {
      problem: 'The bot may not write in a channel',
      remedy: 'Give its role "Send Messages", "Embed Links" and "Attach Files" there.',
    },
    {
      problem: 'A person does not get direct messages',
      remedy:
        'The person must share a server with the bot, and admit direct messages from its members.',
    },
  ],
  recipient: {
    title: 'Id of a channel',
    description:
      'With "Advanced", "Developer Mode" on: right-click the channel, "Copy Channel ID". The bot must ' +
      'see it.',
  },
}
