import { inLanguage } from '../../in-language.ts'

export const firstSteps = inLanguage('firstSteps', {
  title: 'First steps',
  count: (done: number, all: number) => `${done} of ${all} done`,
  done: 'Done:',
  dismiss: 'Do not show again',
  changeFlows: 'Change its other messages in Flows',
  steps: {
    talk: { title: 'Talk to the bot', hint: 'Write to it as a visitor would.' },
    document: {
      title: 'Add a document',
      hint: 'The bot answers questions from your files and websites.',
    },
    greeting: { title: 'Set the greeting', hint: 'Visitors read it before they write.' },
    website: {
      title: 'Put the bot on your website',
      hint: 'Copy the snippet into your pages, and enter your site under Allowed websites.',
    },
    invite: {
      title: 'Invite somebody',
      hint: 'Colleagues answer in the inbox, or change the bot with you.',
    },
    channel: {
      title: 'Connect a channel',
      hint: 'People then reach the bot by WhatsApp, Telegram, e-mail and others.',
    },
    handoff: {
      title: 'Answer in place of the bot',
      hint: 'Open a conversation, and press Take over. Then return it to the bot.',
    },
  },
})
