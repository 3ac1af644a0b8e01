import type { users as English } from '../../en/bot/users.ts'
import { amount } from '../amount.ts'

export const users: typeof English = {
  title: 'Utilisateurs',
  choiceHint: 'Nom, tag ou identifiant',
  noChoice:
    'Aucun utilisateur trouvé. Saisissez le début d’un nom, nom=valeur d’un tag, ou un ' +
    'identifiant.',
  user: 'Utilisateur',
  empty: 'Aucun utilisateur',
  emptyHint: 'Les intégrations créent des utilisateurs quand on écrit au bot.',
  noneFound: 'Aucun utilisateur ne correspond aux filtres',
  hiddenHint:
    'Les utilisateurs qui n’ont jamais écrit et les membres qui répondent sont masqués. Les ' +
    'filtres permettent de les afficher.',
  hidden: 'Masqués',
  silent: 'Utilisateurs n’ayant jamais écrit',
  members: 'Membres',
  /** Of both. */
  shown: { shown: 'Affichés', only: 'Uniquement ceux-ci' },
  byMessage: (link) =>
    `Noms et tags seulement. Pour trouver une personne d’après un message, utilisez « ${link} ».`,
  toMessages: 'Rechercher dans les messages',
  name: 'Nom',
  noName: 'aucun',
  picture: 'Adresse de l’image',
  noPicture: 'aucune',
  tag: 'Tag',
  tagHint: 'nom=valeur',
  integration: 'Intégration',
  noIntegration: 'aucune',
  conversations: 'Conversations',
  conversationCount: (count) => amount(count, 'conversation'),
  conversation: (integration, count) => `${integration} · ${amount(count, 'message')}`,
  noConversations: 'Aucune conversation',
  member: 'Membre',
  testUser: 'Utilisateur de test',
  testUserHint: 'Un membre de l’espace de travail qui utilise « Essayer le bot »',
  unnamed: 'Sans nom',
  /** Without a name; the code is the end of the id. */
  visitor: (code) => `Visiteur ${code}`,
  never: 'jamais',
  about: 'À propos de l’utilisateur',
  created: 'Création',
  lastMessage: 'Dernier message',
  saved: 'L’utilisateur a été enregistré',
  tags: 'Tags',
  noTags: 'Aucun tag',
  newTag: 'Nouveau tag',
  attributes: 'Attributs',
  attributesHint: 'L’API les appelle properties.',
  noAttributes: 'Aucun attribut',
  newAttribute: 'Nouvel attribut',
  states: 'États',
  delete: 'Supprimer l’utilisateur',
  deleteHint:
    'Supprime l’utilisateur avec ses messages et ses fichiers, ainsi que ses conversations sans ' +
    'autres participants. Les journaux, les traces et les lignes de tables restent : pour tout ' +
    'effacer, utilisez « Données personnelles ». Cette action est irréversible.',
  deleted: 'L’utilisateur a été supprimé',
}
