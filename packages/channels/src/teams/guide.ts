import { type Guide, isMistaken, isShaped } from '../guide.ts'
import { makeAppPackage } from './app-package.ts'

const portal = {
  title: 'Open Azure Bots',
  url: 'https://portal.azure.com/#view/HubsExtension/BrowseResource/resourceType/Microsoft.BotService%2FbotServices',
}
const id = /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/
const idProblem = 'An id has 36 characters: `00000000-0000-0000-0000-000000000000`.'

export const guide: Guide = {
  steps: [
    {
      title: 'Create the bot',
      text:
        'At portal.azure.com: create a resource "Azure Bot", of the type "Single Tenant", with a new ' +
        'Microsoft App ID. The price level "F0" is free.',
      links: [
        {
          title: 'Create an Azure Bot',
          url: 'https://portal.azure.com/#create/Microsoft.AzureBot',
        },
      ],
    },
    {
      title: 'Copy the app ID',
      text: 'Open the bot: "Configuration" shows "Bot Type" and "Microsoft App ID".',
      links: [portal],
      settings: ['botType', 'appId'],
    },
    {
      title: 'Copy the tenant ID',
      text: 'The same page shows "App Tenant ID".',
      settings: ['tenantId'],
      only: { setting: 'botType', value: 'Single Tenant' },
    },
    {
      title: 'Make a client secret',
      text:
        'At "Configuration": "Manage Password", "New client secret". Copy the column "Value" at once; ' +
        'Azure shows it once.',
      settings: ['appPassword'],
    },
  ],
  laterSteps: [
    {
      title: 'Enter the address',
      text: 'At "Configuration": enter it as "Messaging endpoint", and press "Apply".',
      links: [portal],
      copies: [{ title: 'Messaging endpoint', value: '{webhookUrl}' }],
    },
    {
      title: 'Add the channel',
      text: 'At "Channels": choose "Microsoft Teams", agree, and press "Apply".',
    },
    {
      title: 'Upload the app to Teams',
      text:
        'In Teams: "Apps", "Manage your apps", "Upload an app". Without "Upload a custom app", an ' +
        'administrator uploads it in the Teams admin center.',
      links: [{ title: 'Open Teams', url: 'https://teams.microsoft.com' }],
      file: {
        name: 'teams-app.zip',
        title: 'App for Teams',
        contentType: 'application/zip',
        make: makeAppPackage,
      },
    },
  ],
  firstMessage: 'In Teams, open the app and write to it.',
  checks: [
    isShaped('appId', id, idProblem),
    isShaped('tenantId', id, idProblem),
    isMistaken(
      'appPassword',
      id,
      'This is the "Secret ID". Copy the column "Value", which Azure shows once.',
    ),
    isShaped(
      'appPassword',
      /^\S{16,}$/,
      'This is too short, or has spaces. Copy the whole column "Value" of the client secret.',
    ),
  ],
  problems: [
    {
      problem: 'The client secret is wrong',
      remedy:
        'Copy the column "Value", not "Secret ID". If it is hidden, make another secret.',
    },
    {
      problem: 'The client secret has expired',
      remedy:
        'Make another one at "Manage Password", and enter it here. It ends after 24 months at most.',
    },
    {
      problem: 'Microsoft does not find the app in this organization',
      remedy: 'Compare both ids, and "Bot Type": "Multi Tenant" has no App Tenant ID.',
    },
    {
      problem: 'No message arrives',
      remedy:
        'Compare "Messaging endpoint" in Azure with the webhook address that this page shows, and add ' +
        'the channel "Microsoft ' +
        'Teams". The address must be public, with HTTPS.',
    },
    {
      problem: 'Teams does not let you upload the app',
      remedy:
        'An administrator admits custom apps in the Teams admin center, or uploads it there.',
    },
  ],
}
