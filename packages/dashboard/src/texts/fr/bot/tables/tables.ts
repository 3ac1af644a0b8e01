import type { tables as English } from '../../../en/bot/tables/tables.ts'
import { amount, plural, thousands } from '../../amount.ts'

const values = (count: number) => amount(count, 'valeur')
const rows = (count: number) => amount(count, 'ligne')
const columns = (count: number) => amount(count, 'colonne')

export const tables: typeof English = {
  title: 'Tables',
  empty: 'Aucune table',
  emptyReader: 'Personne n’a encore créé de table.',
  emptyHint:
    'Une table garde des données pour le bot : créez-en une ou importez un fichier.',
  new: 'Nouvelle table',
  name: 'Nom',
  nameHint: (name) => `Les flux et le code utilisent le nom ${name}.`,
  columns: 'Colonnes',
  columnCount: columns,
  column: 'Colonne',
  type: 'Type',
  columnExample: 'prix',
  columnName: (n) => `Nom de la colonne ${n}`,
  columnType: (n) => `Type de la colonne ${n}`,
  addColumn: 'Ajouter une colonne',
  removeColumn: (n) => `Retirer la colonne ${n}`,
  frozen: 'figée',
  types: {
    string: 'Texte',
    number: 'Nombre',
    boolean: 'Oui ou non',
    date: 'Date et heure',
    object: 'Objet (JSON)',
    array: 'Liste (JSON)',
  },
  actions: 'Actions',
  rename: 'Renommer la table',
  renamed: 'La table a été renommée',
  delete: 'Supprimer la table',
  deleteHint:
    'La table et toutes ses lignes sont supprimées. Cette action est irréversible.',
  deleted: 'La table a été supprimée',
  noRows: 'Cette table n’a aucune ligne',
  noRowsHint: 'Ajoutez une ligne ou importez un fichier.',
  noMatch: 'Aucune ligne ne correspond',
  noMatchHint: 'Modifiez ou effacez les filtres.',
  addRow: 'Ajouter une ligne',
  newRow: 'Nouvelle ligne',
  rowAdded: 'La ligne a été ajoutée',
  deleteRows: (count) => `Supprimer ${rows(count)}`,
  deleteRowsHint: 'Cette action est irréversible.',
  rowsDeleted: (count) => amount(count, 'ligne supprimée', 'lignes supprimées'),
  search: 'Rechercher',
  searchHint: 'Mots dans n’importe quelle colonne',
  refresh: 'Actualiser',
  grid: {
    number: 'Ligne',
    rows,
    rowsOf: (count, total) => `${thousands(count)} sur ${rows(total)}`,
    stale: 'Pas encore calculé',
    notComputed: (reason) => `Non calculé : ${reason}`,
    failed: (count) =>
      `${amount(count, 'cellule non enregistrée', 'cellules non enregistrées')}.`,
    failedAt: ({ rowId, column, error }) => `Ligne ${rowId}, ${column} : ${error}`,
    notBoolean: 'doit être oui ou non',
    discard: 'Abandonner',
    unsorted: 'Une colonne triée a été modifiée.',
    sortAgain: 'Retrier',
    undo: 'Annuler les modifications de cellules',
    redo: 'Rétablir les modifications de cellules',
    hint:
      'Entrée ou double-clic pour modifier, Suppr pour vider, Maj + Espace pour sélectionner une ' +
      'ligne',
    sortBy: (name) => `Trier par ${name}`,
    ascending: 'croissant',
    descending: 'décroissant',
    dateHint: '2026-01-31',
  },
  import: {
    button: 'Importer',
    title: 'Importer un fichier comme table',
    into: (name) => `Importer dans ${name}`,
    drop: 'Déposez un fichier ici',
    formats:
      'CSV, JSON, XLSX ou ODS (première feuille visible). La première ligne donne le nom des ' +
      'colonnes.',
    found: (file, count) => `${file} : ${columns(count)}.`,
    foundRows: (count, isComplete) =>
      isComplete ? `${rows(count)}.` : `Plus de ${rows(count)}.`,
    check: 'Vérifiez où les colonnes seront importées.',
    leavesOut:
      'L’importation écarte les lignes avec des erreurs et les affiche à la fin.',
    newTable: 'Nom de la nouvelle table',
    columns: 'Colonnes du fichier',
    source: 'Colonne du fichier',
    target: 'Importée dans',
    type: 'Type',
    targetOf: (name) => `Cible (${name})`,
    typeOf: (name) => `Type (${name})`,
    nameOf: (name) => `Nom de la nouvelle colonne pour ${name}`,
    nameMissing: 'Saisissez un nom.',
    nameReserved: 'Toute table a une colonne de ce nom. Choisissez-en un autre.',
    nameTaken: 'Une autre colonne porte ce nom.',
    skip: 'Écarter',
    newColumn: 'Nouvelle colonne',
    tooMany: (count) =>
      `Une table a ${count} colonnes au maximum. Écartez-en quelques-unes.`,
    otherFile: 'Autre fichier',
    start: 'Lancer l’importation',
    running: 'Importation…',
    closable:
      'Vous pouvez fermer cette fenêtre. La page de la table affiche la progression.',
    fileKept: 'Le serveur supprime le fichier envoyé après un jour. Les lignes restent.',
    renamed: (source, column) =>
      `Toute table a déjà une colonne « ${source} ». La vôtre devient « ${column} ».`,
    failed: 'L’importation a échoué',
    runningNow: (percent) => `Importation en cours : ${percent} %`,
    showResult: 'Afficher le résultat',
    result: 'Résultat de l’importation',
    hideResult: 'Masquer',
    done: (added, total, leftOut) =>
      [
        `${amount(added, 'ligne importée', 'lignes importées')}.`,
        leftOut === 0
          ? 'Aucune ligne écartée.'
          : `${amount(leftOut, 'ligne écartée', 'lignes écartées')}.`,
        ...(total === undefined ? [] : [`La table a ${rows(total)}.`]),
      ].join(' '),
    open: 'Ouvrir la table',
    rejected: 'Lignes écartées',
    rejectedHint:
      'Ces lignes ont été écartées. Téléchargez-les, corrigez-les, puis importez ce fichier.',
    place: 'Emplacement',
    problem: 'Problème',
    extraRows: (count, hasMore) =>
      `${hasMore ? 'Au moins ' : ''}${rows(count)} ${plural(count, 'a', 'ont')} plus de cellules ` +
      'que la table n’a de colonnes. L’importation écarte ces cellules : corrigez d’abord le ' +
      'fichier ou choisissez où elles vont.',
    moreRejected: (shown, total) =>
      `Lignes affichées : les ${thousands(shown)} premières sur ${thousands(total)}.`,
    formulaHint:
      'Le fichier contient une apostrophe devant les textes qu’un tableur exécuterait comme ' +
      'formules.',
    rejectedFile: 'lignes-ecartees.csv',
    download: (count) => `Télécharger ${rows(count)} (CSV)`,
  },
  jobs: {
    title: 'Importations, exports, modifications',
    empty:
      'Aucune importation, aucun export ni grande modification dans les 30 derniers jours',
    export: (format) => `Exporter en ${format}`,
    unchangedCsv: 'CSV pour une importation, avec formules',
    types: {
      export: 'Export',
      import: 'Importation',
      clear_column: 'Nettoyage d’anciennes valeurs',
      clear_vectors: 'Nettoyage de l’index de recherche',
      delete_rows: 'Suppression de lignes',
      duplicate_table: 'Copie',
      update_rows: 'Modification de lignes',
      convert_column: 'Changement de type',
    },
    states: {
      pending: 'en attente',
      in_progress: 'en cours',
      finalizing: 'finalisation',
      completed: 'succès',
      failed: 'échec',
    },
    changed: rows,
    leftOut: (type, count) =>
      type === 'convert_column'
        ? `${values(count)} ${plural(count, 'vidée')}`
        : `${rows(count)} ${plural(count, 'écartée')}`,
    download: 'Télécharger',
  },
}
