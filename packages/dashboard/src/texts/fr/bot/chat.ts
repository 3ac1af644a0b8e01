import type { chat as English } from '../../en/bot/chat.ts'

export const chat: typeof English = {
  title: 'Webchat',
  none: 'Ce bot n’a pas de webchat',
  noneHint:
    'Installez l’intégration « webchat » ou « chat » pour que l’on puisse lui parler.',
  integrations: 'Intégrations',
  share: 'Partager',
  link: 'Adresse de la page de chat',
  open: 'Ouvrir',
  snippet: 'Sur votre site web',
  snippetHint: 'Insérez cette ligne avant </body>.',
  signedShareHint:
    'Insérez cette ligne avant </body>, avec la clé d’utilisateur du visiteur.',
  look: 'Apparence',
  lookHint: 'Pour la page de chat et le bouton sur les sites web.',
  name: 'Nom',
  avatarUrl: 'Image',
  avatarHint: 'Adresse d’une image carrée.',
  notAddress: 'Saisissez une adresse qui commence par https:// ou http://',
  noPicture: 'Le navigateur ne trouve aucune image à cette adresse.',
  color: 'Couleur',
  radius: 'Arrondi des angles, en pixels',
  theme: 'Thème',
  themes: { system: 'Système', light: 'Clair', dark: 'Sombre' },
  position: 'Côté du bouton',
  positions: { right: 'À droite', left: 'À gauche' },
  greeting: 'Message d’accueil',
  greetingHint: 'Affiché avant le premier message. Markdown.',
  suggestions: 'Questions suggérées',
  suggestionsHint: 'Une par ligne, 6 au maximum',
  tooManySuggestions: 'Gardez 6 questions au maximum.',
  longSuggestion: (line) => `Raccourcissez « ${line.slice(0, 40)}… » à 150 caractères.`,
  language: 'Langue',
  visitorsLanguage: 'Celle du visiteur',
  languages: {
    ar: 'العربية',
    de: 'Deutsch',
    en: 'English',
    es: 'Español',
    fr: 'Français',
    pt: 'Português',
  },
  uploads: 'Les visiteurs peuvent envoyer des fichiers',
  originsExample: 'https://www.example.org',
  origins: 'Sites web autorisés',
  originsHint:
    'Un par ligne. Seules les pages de ces sites peuvent afficher le chat. Vide : tous les sites ' +
    'le peuvent.',
  completedOrigins: (origins) => `Enregistré sous la forme : ${origins.join(', ')}`,
  notOrigin: (line, origin) =>
    `« ${line} » n’est pas l’adresse d’un site web. Écrivez ${origin}, sans chemin.`,
  preview: 'Aperçu',
  previewShows: 'Aperçu de',
  previews: { start: 'Début', conversation: 'Conversation' },
  signed: 'Visiteurs connectés',
  signedOff:
    'Les visiteurs sont anonymes. Avec des clés d’utilisateur, seules les personnes connectées à ' +
    'votre site web peuvent utiliser le chat. Elles retrouvent leur conversation sur tous leurs ' +
    'appareils.',
  signedOn:
    'Seuls les visiteurs munis d’une clé d’utilisateur de votre site web peuvent utiliser le chat.',
  requireKeys: 'Exiger des clés d’utilisateur',
  requireKeysEffect:
    'Les visiteurs anonymes ne peuvent plus utiliser le chat, même à l’adresse de la page de ' +
    'chat. Votre site web doit envoyer des clés d’utilisateur.',
  allowAnonymous: 'Autoriser les visiteurs anonymes',
  allowAnonymousEffect:
    'Les clés d’utilisateur signées par votre site web ne sont plus valables.',
  encryptionKey:
    'Clé de chiffrement. Elle signe les clés d’utilisateur : gardez-la sur le serveur de votre ' +
    'site web.',
  signHint:
    'Sur le serveur de votre site web, signez une clé d’utilisateur pour la personne connectée :',
  signedSnippet: 'Dans la page, ajoutez la clé à la ligne :',
  saved: 'Le chat est enregistré',
}
