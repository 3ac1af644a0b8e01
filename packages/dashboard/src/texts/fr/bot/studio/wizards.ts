import type { wizards as English } from '../../../en/bot/studio/wizards.ts'
import { amount } from '../../amount.ts'

/** The wizards of dialogues. */
export const wizards: typeof English = {
  title: 'Ajouter un dialogue',
  choose:
    'Choisissez ce que le bot doit faire. Vous pourrez ensuite modifier le dialogue comme tout autre ' +
    'flux.',
  language: 'Langue des textes',
  kinds: {
    contact: {
      title: 'Formulaire de contact',
      hint: 'Demande le nom, l’e-mail et le message, les enregistre et prévient une personne.',
    },
    booking: {
      title: 'Réservation de créneaux libres',
      hint: 'Propose les créneaux libres, en réserve un, puis le modifie ou l’annule.',
    },
    order: {
      title: 'Suivi de commande',
      hint: 'Trouve une commande par son numéro dans une table et indique son état.',
    },
    rating: {
      title: 'Satisfaction',
      hint: 'Demande une note de 1 à 5 et un commentaire.',
    },
    own: {
      title: 'Vos propres questions',
      hint: 'Demande ce que vous voulez savoir et enregistre les réponses.',
    },
  },
  back: 'Choisir un autre dialogue',
  create: 'Ajouter au brouillon',
  faults: (count) => `${amount(count, 'champ')} à corriger`,
  name: 'Nom du dialogue',
  // Questions.
  questions: 'Questions',
  question: (number) => `Question ${number}`,
  answerName: 'Nom court',
  answerNameHint: 'Pour la table et pour le récapitulatif que voit le visiteur.',
  ask: 'Question',
  kind: 'Réponse',
  choices: 'Choix, un par ligne',
  isOptional: 'Le visiteur peut la passer',
  add: 'Ajouter une question',
  presets: {
    name: 'Nom',
    email: 'E-mail',
    phone: 'Téléphone',
    date: 'Date',
    message: 'Message',
  },
  isConfirmed: 'Demander si les réponses sont exactes avant de les enregistrer',
  closing: 'Dernier message',
  tellsPerson: 'Transférer ensuite la conversation à une personne',
  tellsPersonHint:
    'Vos collègues la voient dans la boîte de réception, avec un récapitulatif. Le bot se tait ' +
    'jusqu’à ce qu’ils la ferment.',
  // Bookings.
  hours: 'Horaires d’ouverture',
  hoursHint:
    'Par exemple 09:00-12:00, 13:00-17:00. Laissez vide un jour où l’on ne peut rien réserver.',
  days: ['Lundi', 'Mardi', 'Mercredi', 'Jeudi', 'Vendredi', 'Samedi', 'Dimanche'],
  minutes: 'Durée d’une réservation en minutes',
  capacity: 'Réservations simultanées',
  noticeHours: 'Réserver au plus tard (heures avant)',
  daysAhead: 'Réserver au plus tôt (jours avant)',
  timezone: 'Fuseau horaire',
  timezoneHint:
    'Il devient le fuseau horaire du bot. Ses autres flux interprètent aussi les dates dans ce ' +
    'fuseau.',
  timezoneKnown: (zone) =>
    `Les heures sont exprimées dans le fuseau horaire du bot, ${zone}.`,
  // Tables.
  table: 'Table',
  storedIn: 'Enregistrer les réponses dans',
  ordersIn: 'Table des commandes',
  newTable: 'Une nouvelle table',
  noTable: 'Aucune table',
  tableName: 'Nom de la nouvelle table',
  newColumns: (columns) =>
    'La table est créée après la publication, dès qu’un premier visiteur utilise le dialogue. ' +
    `Colonnes : ${columns}.`,
  columnFor: (name) => `Colonne pour : ${name}`,
  newColumn: 'Une nouvelle colonne',
  notStored: 'Non enregistré',
  keyHint:
    'Les réservations nécessitent une table dont la colonne clé est de type texte. Les autres ne ' +
    'sont pas proposées.',
  parts: {
    slot: 'heure et place (unique)',
    time: 'heure (UTC)',
    local: 'heure dans le fuseau du bot',
    code: 'numéro de réservation',
    status: 'état',
    rating: 'note',
    comment: 'commentaire',
  },
  numberColumn: 'Colonne avec le numéro de la commande',
  checkColumn: 'Seconde colonne à vérifier, par exemple l’e-mail',
  checkHint: 'Sans elle, quiconque connaît un numéro peut lire l’état.',
  noCheck: 'Aucune',
  sentence: 'Réponse',
  sentenceHint: (columns) =>
    `Les colonnes entre accolades sont remplacées par leurs valeurs : ${columns}`,
  offersPerson: 'Proposer une personne si la commande est introuvable',
  // Ratings.
  rating: 'Question',
  asksComment: 'Demander un commentaire facultatif',
  lowUpTo: 'Proposer une personne',
  low: ['Jamais', 'Pour 1', 'Pour 1 ou 2', 'Pour 1 à 3', 'Pour 1 à 4'],
  afterHandoff: 'Demander aussi quand une personne a fermé une conversation',
  // Ways into it.
  reach: 'Comment les visiteurs y accèdent',
  words: 'Mots qui le lancent',
  wordsHint: 'Séparés par des virgules. Un message qui en contient un lance le dialogue.',
  button: 'Bouton',
  buttonHint: 'Laissez vide pour ne pas avoir de bouton.',
  greeting: 'Place du bouton',
  below: (text) => `Sous « ${text} »`,
  newGreeting: 'Dans un nouveau message d’accueil, au début d’une conversation',
  greetingText: 'Texte au-dessus du bouton',
  greetingTextHint: 'Si le message d’accueil n’a pas encore de boutons.',
  // What it makes.
  makes: 'Ce qui sera ajouté au brouillon',
  makesFlow: (name, steps) => `Le flux ${name}, avec ${amount(steps, 'étape')}`,
  makesTable: (name) => `La table ${name}`,
  makesColumn: (table) => `Une colonne de la table ${table}`,
  makesTrigger: (name) => `Le déclencheur ${name}`,
  makesButton: (flow) => `Un bouton (${flow})`,
  makesTimezone: (zone) => `Le fuseau horaire ${zone} du bot`,
}
