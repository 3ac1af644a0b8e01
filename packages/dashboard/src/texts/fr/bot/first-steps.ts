import type { firstSteps as English } from '../../en/bot/first-steps.ts'

export const firstSteps: typeof English = {
  title: 'Premiers pas',
  count: (done, all) => `${done} sur ${all}`,
  done: 'Fait :',
  dismiss: 'Ne plus afficher',
  changeFlows: 'Modifier ses autres messages dans les flux',
  steps: {
    talk: { title: 'Parler au bot', hint: 'Écrivez-lui comme le ferait un visiteur.' },
    document: {
      title: 'Ajouter un document',
      hint: 'Le bot répond aux questions à partir de vos fichiers et de vos sites web.',
    },
    greeting: {
      title: 'Définir le message d’accueil',
      hint: 'Les visiteurs le lisent avant d’écrire.',
    },
    website: {
      title: 'Mettre le bot sur votre site web',
      hint: 'Copiez le code dans vos pages et indiquez votre site sous « Sites web autorisés ».',
    },
    invite: {
      title: 'Inviter quelqu’un',
      hint: 'Vos collègues répondent dans la boîte de réception ou modifient le bot avec vous.',
    },
    channel: {
      title: 'Connecter un canal',
      hint: 'On peut alors joindre le bot par WhatsApp, Telegram, e-mail et d’autres moyens.',
    },
    handoff: {
      title: 'Répondre à la place du bot',
      hint: 'Ouvrez une conversation et cliquez sur « Prendre le relais ». Rendez-la ensuite au bot.',
    },
  },
}
