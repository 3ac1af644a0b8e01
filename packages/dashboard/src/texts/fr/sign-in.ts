import type {
  invitation as EnglishInvitation,
  signIn as EnglishSignIn,
} from '../en/sign-in.ts'
import { members } from './workspace.ts'

export const signIn: typeof EnglishSignIn = {
  title: 'Connexion',
  welcome: 'Botstead',
  intro: 'La plateforme de bots sur votre propre machine.',
  talk: (name) => `Parler à ${name}`,
  talkHint: 'Le premier bot est prêt. Pas besoin de compte pour lui parler.',
  how: 'Comment se connecter',
  howText:
    'Ouvrez le lien que le serveur a affiché au démarrage. Pour obtenir un nouveau lien, ' +
    'exécutez :',
  command: (command) => `${command} login-link --account owner@localhost`,
  withLink: 'Connexion en cours…',
  otherWays: 'Se connecter avec un mot de passe ou un autre compte',
  email: 'Adresse e-mail',
  password: 'Mot de passe',
  submit: 'Se connecter',
  wrong: 'L’adresse e-mail ou le mot de passe est incorrect.',
  wrongCode: 'Le code est incorrect ou a déjà servi.',
  wait: (seconds) =>
    `Trop de tentatives échouées. Réessayez dans ${seconds} s ou utilisez un lien à usage unique.`,
  code: 'Code de votre application d’authentification',
  codeHint: 'Ou l’un de vos codes de secours.',
  otherAccount: 'Utiliser un autre compte',
  openId: (name) => `Continuer avec ${name}`,
  link: 'Lien à usage unique',
}
const nameRole = (role: string) => (members.roles as Record<string, string>)[role] ?? role

export const invitation: typeof EnglishInvitation = {
  title: 'Invitation',
  text: (workspace, role) =>
    `Vous avez reçu une invitation à l’espace de travail « ${workspace} », avec le rôle ` +
    `« ${nameRole(role)} ».`,
  forAddress: (email) => `L’invitation est destinée à ${email}.`,
  name: 'Votre nom',
  password: 'Mot de passe',
  passwordHint: 'Au moins 12 caractères, par exemple quatre mots sans rapport entre eux.',
  create: 'Créer un compte',
  hasAccount: 'J’ai un compte',
  existing: 'Connectez-vous avec le compte de cette adresse, puis acceptez l’invitation.',
  accept: 'Accepter l’invitation',
  otherAccount: (email) => `Vous utilisez le compte ${email}. Déconnectez-vous d’abord.`,
  gone: 'Ce lien ne fonctionne plus',
  goneHint:
    'Une invitation sert une seule fois, dans les sept jours. Si vous l’avez acceptée, ' +
    'connectez-vous. Sinon, demandez-en une autre.',
  missing: 'Le lien est incomplet',
  missingHint: 'Copiez l’adresse complète de votre invitation.',
}
