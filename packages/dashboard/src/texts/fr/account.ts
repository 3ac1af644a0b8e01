import type { account as English } from '../en/account.ts'
import { plural } from './amount.ts'

export const account: typeof English = {
  title: 'Votre compte',
  profile: 'Profil',
  email: 'Adresse e-mail',
  name: 'Nom',
  unverified: 'adresse non vérifiée',
  password: 'Mot de passe',
  passwordNone:
    'Votre compte n’a pas de mot de passe. Définissez-en un pour vous connecter sans lien.',
  passwordHint: 'Un nouveau mot de passe met fin à vos autres sessions.',
  current: 'Mot de passe actuel',
  currentHint:
    'Peut rester vide pendant les 15 minutes qui suivent une connexion par lien à usage unique.',
  newPassword: 'Nouveau mot de passe',
  newPasswordHint:
    'Au moins 12 caractères, par exemple quatre mots sans rapport entre eux.',
  setPassword: 'Définir le mot de passe',
  changePassword: 'Changer le mot de passe',
  passwordMissing: 'Définissez un mot de passe pour vous connecter sans lien',
  passwordLater: 'Plus tard',
  passwordSet: 'Le mot de passe est défini.',
  removePassword: 'Supprimer le mot de passe',
  passwordRemoved: 'Le mot de passe est supprimé.',
  factor: 'Double authentification',
  factorHint:
    'Une application d’authentification protège votre mot de passe par un code.',
  factorOn: (left) =>
    `La double authentification est activée. Codes de secours restants : ${left}.`,
  factorNeedsPassword:
    'Définissez d’abord un mot de passe : la double authentification protège la connexion par ' +
    'mot de passe.',
  codesFile: 'botstead-codes-de-secours.txt',
  download: 'Télécharger',
  factorStart: 'Configurer une application d’authentification',
  factorScan:
    'Scannez ce code avec l’application, ou saisissez-y le secret. Entrez ensuite le code ' +
    'qu’elle affiche.',
  factorImage: 'Code QR du secret',
  secret: 'Secret',
  code: 'Code de l’application',
  confirm: 'Activer',
  codes: 'Vos codes de secours',
  codesHint:
    'Chacun remplace une seule fois un code de l’application. Gardez-les au même endroit que vos ' +
    'mots de passe : ils ne s’affichent que maintenant.',
  codeOrRecovery: 'Code de l’application ou code de secours',
  codeUse:
    'Nécessaire seulement pour obtenir de nouveaux codes de secours ou désactiver la double ' +
    'authentification.',
  newCodes: 'Nouveaux codes de secours',
  turnOff: 'Désactiver',
  turnedOff: 'La double authentification est désactivée.',
  sessions: 'Sessions',
  sessionsHint: 'Les navigateurs où votre session est ouverte.',
  session: 'Ce navigateur',
  lastUsed: 'dernière utilisation',
  inUse: 'utilisé en ce moment',
  signedIn: 'connexion',
  endSession: 'Déconnecter',
  endOthers: 'Se déconnecter partout ailleurs',
  endedOthers: (count) =>
    `${count} ${plural(count, 'session terminée', 'sessions terminées')}.`,
  unknownBrowser: 'Navigateur inconnu',
  back: 'Retour à l’espace de travail',
  backShort: 'Retour',
}
