import type {
  checks as EnglishChecks,
  curated as EnglishCurated,
  unanswered as EnglishUnanswered,
} from '../../../en/bot/knowledge/curated.ts'
import { amount, decimal, plural, thousands } from '../../amount.ts'

const kinds = {
  equal: 'mêmes mots',
  words: 'mêmes mots sous d’autres formes',
  misspelt: 'mêmes mots, dont un mal orthographié',
}

export const curated: typeof EnglishCurated = {
  title: 'Réponses',
  hint:
    'Quand une personne pose l’une de ces questions, le bot envoie cette réponse telle que vous ' +
    'l’avez écrite. Elle passe avant les documents et les modèles. Le bot reconnaît les autres ' +
    'formes des mots et les fautes de frappe ; pour d’autres mots, ajoutez une question à la ' +
    'réponse.',
  empty: 'Aucune réponse pour le moment',
  emptyHint: 'Écrivez la réponse à une question que l’on pose souvent.',
  emptyReader: 'Personne n’a encore écrit de réponse.',
  noMatch: 'Aucune réponse ne correspond',
  search: 'Rechercher',
  searchHint: 'Mots des questions ou des réponses',
  new: 'Nouvelle réponse',
  newTitle: 'Nouvelle réponse',
  edit: 'Modifier la réponse',
  editOne: (question) => `Modifier la réponse à « ${question} »`,
  deleteOne: (question) => `Supprimer la réponse à « ${question} »`,
  deleteText: 'Le bot n’envoie plus cette réponse. Cette action est irréversible.',
  delete: 'Supprimer',
  deleted: 'La réponse a été supprimée',
  saved: 'La réponse a été enregistrée. Le bot l’utilise dès maintenant',
  questions: 'Questions',
  questionsHint:
    'Une par ligne, comme on les pose. Le bot reconnaît les autres formes de ces mots et les ' +
    'fautes de frappe. La même question avec d’autres mots demande une autre ligne : 20 au ' +
    'maximum.',
  tooMany: 'Une réponse peut avoir 20 questions au maximum.',
  tooLong: 'Une question a 300 caractères au maximum.',
  answer: 'Réponse',
  more: 'Boutons, image, langue et période',
  buttons: 'Boutons sous la réponse',
  buttonsHint:
    'Un par ligne. Un clic envoie le texte du bouton. Pour envoyer un autre texte, écrivez : Oui ' +
    '= Je veux commander',
  picture: 'Adresse d’une image',
  pictureHint: 'Envoyée avant la réponse. Elle commence par https://',
  language: 'Langue des questions',
  languageHint: 'Vide : le serveur la reconnaît d’après les mots.',
  base: 'Seulement pour',
  allBases: 'Toutes les bases de connaissances',
  validFrom: 'Premier jour',
  validTo: 'Dernier jour',
  period: 'Le dernier jour précède le premier.',
  changed: 'Modifiée',
  notNow: 'Non utilisée actuellement',
  moreQuestions: (count) => `et ${amount(count, 'autre question', 'autres questions')}`,
  export: 'Exporter en CSV',
  import: 'Importer un CSV',
  importText:
    'Un tableau avec les colonnes « questions » et « answer ». Si une réponse a plusieurs ' +
    'questions, elles occupent plusieurs lignes d’une même cellule. Un export montre toutes les ' +
    'colonnes. Les lignes avec un « id » modifient la réponse qui porte cet identifiant.',
  importFile: 'Choisir le fichier CSV',
  imported: (created, updated, unchanged) =>
    `Ajoutées : ${thousands(created)}, modifiées : ${thousands(updated)}, inchangées : ` +
    `${thousands(unchanged)}.`,
  rejected: (count) =>
    `${amount(count, 'ligne n’a', 'lignes n’ont')} pas pu être ${plural(count, 'importée')} :`,
  rejectedRow: ({ line, message }) => `Ligne ${thousands(line)} : ${message}`,
  file: 'reponses.csv',
  found: 'Le bot envoie l’une de vos réponses',
  foundHint: ({ question, kind }) =>
    `Il ne cherche pas dans les documents. Question reconnue : « ${question} » (${kinds[kind]}).`,
  fromConversation: 'Enregistrer comme réponse',
  fromConversationOne: (time) => `Enregistrer comme réponse : le message (${time})`,
}

export const unanswered: typeof EnglishUnanswered = {
  title: 'Sans réponse',
  hint:
    'Questions auxquelles le bot n’a pas su répondre, et réponses mal notées. Une question ' +
    'quitte la liste lorsqu’une réponse ou un nouveau document y répond, sauf si quelqu’un ' +
    'attend encore un e-mail.',
  empty: 'Rien à améliorer',
  emptyHint: 'Les questions auxquelles le bot ne sait pas répondre s’affichent ici.',
  question: 'Question',
  count: 'Posée',
  times: (count) => `${thousands(count)} fois`,
  rated: (count) => amount(count, 'mauvaise note', 'mauvaises notes'),
  last: 'Dernière fois',
  best: 'Meilleur passage',
  /** Shown with the question, so that the number says something. */
  score: (score, minScore, isEnough) =>
    isEnough
      ? `${decimal(score)} : suffisant`
      : `${decimal(score)}, il faut ${decimal(minScore)}`,
  read: (name) => `Lire le passage : ${name}`,
  readTitle: 'Meilleur passage',
  usePassage: 'Utiliser ce passage',
  usePassageHint:
    'Le bot a trouvé ce passage. Utilisez-le comme réponse, en l’abrégeant :',
  answered: 'Le bot sait y répondre',
  answeredHint: 'Si quelqu’un repose cette question, le bot répond.',
  wantsMail: 'Réponse par e-mail attendue par :',
  mailed: 'Marquer l’e-mail comme traité',
  mailedDone: 'Les demandes de réponse par e-mail ont été supprimées',
  noPassage: 'Aucun passage des documents ne convient',
  addAnswer: 'Ajouter une réponse',
  addAnswerTo: (question) => `Ajouter une réponse à « ${question} »`,
  others: (question) => `Autres actions pour « ${question} »`,
  addDocument: 'Ajouter un document',
  dismiss: 'Pas une question',
  dismissed: 'La question a été retirée de la liste',
  open: 'Ouvrir la conversation',
  explain: 'Voir ce que trouve la recherche',
  wordings: (count) => `et ${amount(count, 'autre formulation', 'autres formulations')}`,
}

export const checks: typeof EnglishChecks = {
  title: 'Contrôles',
  hint:
    'Des questions avec le document ou le texte qui doit y répondre. Lancez le contrôle après ' +
    'avoir modifié des documents ou des réponses : il dure quelques secondes, n’envoie aucun ' +
    'message et montre ce qui s’est amélioré ou dégradé.',
  empty: 'Aucune question à contrôler pour le moment',
  emptyHint:
    'Ajoutez des questions auxquelles le bot doit répondre, avec le document ou une partie de la ' +
    'réponse.',
  emptyReader: 'Personne n’a encore ajouté de question.',
  add: 'Ajouter une question',
  run: 'Lancer le contrôle',
  export: 'Exporter',
  import: 'Importer',
  importText:
    'Ajoute les questions d’un fichier écrit par « Exporter » ou par une personne, en YAML ou ' +
    'JSON. Les questions déjà présentes restent inchangées. « botstead test » exécute le même ' +
    'fichier.',
  importFile: 'Fichier de contrôles',
  imported: (created, unchanged) =>
    `Ajoutées : ${thousands(created)}, inchangées : ${thousands(unchanged)}.`,
  tooLarge: 'Le fichier dépasse 2 Mo',
  invalid: (file, line, message) => `${file}, ligne ${line} : ${message}`,
  file: 'connaissances.yaml',
  question: 'Question',
  expectedFile: 'Document qui doit répondre',
  expectedFileHint: 'Son nom, par exemple : retours.md',
  expectedText: 'Partie de la réponse',
  expectedTextHint:
    'Par exemple : trente jours. Indiquez le document, une partie de la réponse, ou les deux.',
  expected: 'Attendu',
  quoted: (text) => `« ${text} »`,
  result: 'Résultat',
  found: 'Trouvé',
  nothing: 'Rien',
  curatedAnswer: 'L’une de vos réponses',
  notRun: 'Pas encore lancé',
  passed: 'Correct',
  failed: 'Incorrect',
  better: 'Mieux qu’avant',
  worse: 'Moins bien qu’avant',
  summary: (passed, failed, better, worse) => {
    const changes = [
      better > 0 && `mieux : ${thousands(better)}`,
      worse > 0 && `moins bien : ${thousands(worse)}`,
    ]
    const compared = changes.filter(Boolean).join(', ')
    const right = `Réponses correctes : ${thousands(passed)} sur ${thousands(passed + failed)}`
    return compared ? `${right} ; depuis le dernier contrôle : ${compared}.` : `${right}.`
  },
  delete: 'Supprimer',
  edit: 'Modifier la question',
  editOne: (question) => `Modifier « ${question} »`,
  deleteOne: (question) => `Supprimer « ${question} »`,
}
