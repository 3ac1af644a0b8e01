import { type Guide, isMistaken, isShaped } from '../guide.ts'

const configuration = {
  title: 'Open Google Chat API, Configuration',
  url: 'https://console.cloud.google.com/apis/api/chat.googleapis.com/hangouts-chat',
}

export const guide: Guide = {
  steps: [
    {
      title: 'Switch on the API',
      text: 'Choose or create a project of your organization, open "Google Chat API", press "Enable".',
      links: [
        {
          title: 'Open Google Chat API',
          url: 'https://console.cloud.google.com/apis/library/chat.googleapis.com',
        },
      ],
    },
    {
      title: 'Make a key',
      text:
        '"IAM & Admin", "Service Accounts", "Create service account". Open it: "Keys", "Add key", ' +
        '"Create new key", "JSON". Paste the content of the file.',
      links: [
        {
          title: 'Open Service Accounts',
          url: 'https://console.cloud.google.com/iam-admin/serviceaccounts',
        },
      ],
      settings: ['serviceAccountKey'],
    },
    {
      title: 'Copy the project number',
      text: 'The "Dashboard" of the project shows it in "Project info".',
      links: [
        {
          title: 'Open the Dashboard',
          url: 'https://console.cloud.google.com/home/dashboard',
        },
      ],
      settings: ['audience'],
    },
  ],
  laterSteps: [
    {
      title: 'Configure the app',
      text:
        'At "Google Chat API", "Configuration": switch "Build this Chat app as a Workspace add-on" off. ' +
        'Choose "HTTP endpoint URL", enter the address for all triggers, and the authentication audience ' +
        '"Project number". Switch on "Join spaces and group conversations".',
      links: [configuration],
      copies: [{ title: 'HTTP endpoint URL', value: '{webhookUrl}' }],
    },
  ],
  firstMessage:
    'In Google Chat: "New chat", search the name of the app, and write to it.',
  unproved: ['audience'],
  checks: [
    isShaped(
      'serviceAccountKey',
      /^\s*\{/,
      'Paste the whole JSON file: it begins with {.',
    ),
    isMistaken(
      'serviceAccountKey',
      /"(installed|web)"\s*:/,
      'This is the file of an OAuth client. Make a key of a service account.',
    ),
    isShaped(
      'serviceAccountKey',
      /"private_key"/,
      'The file has no private key. Make another key: "Keys", "Add key", "JSON".',
    ),
    isShaped(
      'audience',
      /^(\d+|https?:\/\/\S+)$/,
      'Enter the project number, which has only digits, or the HTTP endpoint URL. The project ID is another.',
    ),
  ],
  problems: [
    {
      problem: 'Google does not accept the key',
      remedy:
        'The key was deleted, or the service account is disabled: make another key.',
    },
    {
      problem: 'The Google Chat API is off',
      remedy: 'Switch it on in the project of the service account, and wait a minute.',
    },
    {
      problem: 'The audience of requests is another one',
      remedy:
        'Choose "Project number" as authentication audience, and enter the number here.',
    },
    {
      problem: 'The app says "not responding"',
      remedy:
        'Enter the HTTP endpoint URL of this page. The address must be public, with HTTPS and a valid ' +
        'certificate.',
    },
    {
      problem: 'People do not find the app',
      remedy: 'At "Configuration", "Visibility": add the people or groups.',
    },
  ],
}
