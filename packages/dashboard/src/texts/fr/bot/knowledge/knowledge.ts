import type { knowledge as English } from '../../../en/bot/knowledge/knowledge.ts'
import { amount, decimal, plural, thousands } from '../../amount.ts'

const files = (count: number) => amount(count, 'fichier')
const pages = (count: number) => amount(count, 'page')
const passages = (count: number) => amount(count, 'passage')
const words = (all: string[]) => all.map((word) => `« ${word} »`).join(', ')
const maxCounted = 20_000

const statuses = {
  upload_pending: 'En attente de contenu',
  upload_failed: 'Échec de l’importation',
  upload_completed: 'Enregistré, non indexé',
  indexing_pending: 'Indexation en cours',
  indexing_failed: 'Échec de l’indexation',
  indexing_completed: 'Indexé',
}
/** After a number: singular and plural. */
const countedStatuses: Record<keyof typeof statuses, [string, string]> = {
  upload_pending: ['en attente de contenu', 'en attente de contenu'],
  upload_failed: ['importation échouée', 'importations échouées'],
  upload_completed: ['enregistré, non indexé', 'enregistrés, non indexés'],
  indexing_pending: ['en cours d’indexation', 'en cours d’indexation'],
  indexing_failed: ['indexation échouée', 'indexations échouées'],
  indexing_completed: ['indexé', 'indexés'],
}
const minScoreOwners = {
  base: ' de la base de connaissances',
  card: ' de la carte',
  usual: '',
}

export const knowledge: typeof English = {
  title: 'Connaissances',
  files: 'Fichiers',
  pages: 'Pages des connaissances',
  documents: 'Documents',
  addFiles: 'Ajouter des fichiers',
  search: 'Tester une question',
  drop: 'Déposez des fichiers ou des dossiers n’importe où sur cette page.',
  empty: 'Donnez au bot de quoi lire',
  emptyTitleReader: 'Aucun document',
  emptyHint:
    'Ajoutez des documents : PDF, Word, Excel, PowerPoint, OpenDocument, HTML, e-mails, texte ou ' +
    'CSV. Le serveur découpe chacun en passages. Le bot répond avec les passages qui ' +
    'correspondent à une question. Ensuite, testez une question ici ou parlez au bot.',
  emptyReader: 'Personne n’a encore ajouté de document.',
  noMatch: 'Aucun fichier ne correspond',
  noMatchHint: 'Modifiez ou effacez les filtres.',
  emptyBase: 'Cette base de connaissances est vide',
  otherFiles: 'Aussi les fichiers hors des connaissances',
  name: 'Nom',
  nameHint: 'Par exemple : liste des prix',
  base: 'Base de connaissances',
  noBase: 'aucune',
  status: 'État',
  size: 'Taille',
  noSize: 'inconnue',
  added: 'Ajout',
  changed: 'Modification',
  any: 'Indifférent',
  actions: 'Actions',
  delete: 'Supprimer le fichier',
  deleteOne: (name) => `Supprimer ${name}`,
  deleteText: 'Le bot ne trouve plus ses passages. Cette action est irréversible.',
  deleted: 'Le fichier a été supprimé',
  indexAgain: 'Réindexer',
  indexing: 'Le serveur relit le fichier',
  download: 'Télécharger',
  counts: (status, count) => {
    const counted = count >= maxCounted ? `${thousands(maxCounted)}+` : thousands(count)
    return `${counted} ${plural(count, ...countedStatuses[status])}`
  },
  statuses,
  meaning: {
    progress: (embedded, all) =>
      `Le serveur prépare la recherche par le sens : ${thousands(embedded)} sur ` +
      `${passages(all)}. Le bot trouve déjà les autres, mais seulement si la question en ` +
      'contient des mots.',
    complete: (all) =>
      all === 1
        ? 'La recherche trouve le passage par les mots et par le sens.'
        : `La recherche trouve les ${thousands(all)} passages par les mots et par le sens.`,
    partly: (embedded, all) =>
      `La recherche trouve ${passages(embedded)} sur ${thousands(all)} par les mots et par le ` +
      'sens, les autres par les mots seulement : le modèle ne connaît pas leur langue.',
    unavailable: (model) =>
      `La recherche ne compare que les mots : le modèle « ${model} » échoue. Le serveur réessaie ` +
      'à intervalles de quelques secondes.',
    disabled: 'La recherche ne compare que les mots.',
    notInstalled:
      'La recherche ne compare que les mots, car les paquets du modèle inclus ne sont pas ' +
      'installés.',
    about: 'Recherche par le sens',
  },
  samples: {
    title: (count, hasOthers) =>
      `Le bot répond ${hasOthers ? 'aussi ' : ''}à partir de ${amount(count, 'document')} ` +
      'd’exemple',
    ask: (subjects) =>
      `Cliquez sur « Essayer le bot » et posez une question, par exemple sur : ${subjects}.`,
    text: (count) =>
      count === 1
        ? 'Il est fourni avec l’exemple. Supprimez-le quand vous ajoutez vos propres documents.'
        : 'Ils sont fournis avec l’exemple. Supprimez-les quand vous ajoutez vos propres documents.',
    delete: 'Supprimer les exemples',
    deleteTitle: 'Supprimer les documents d’exemple',
    deleted: (count) => amount(count, 'fichier supprimé', 'fichiers supprimés'),
  },
  bases: {
    manage: 'Modifier la base de connaissances',
    create: 'Nouvelle base de connaissances',
    created: 'La base de connaissances a été créée',
    name: 'Nom',
    taken: 'Une autre base de connaissances porte ce nom.',
    chooseFirst: 'Choisissez d’abord une base de connaissances',
    rename: 'Renommer',
    renamed: 'La base de connaissances a été renommée',
    renameHint:
      'Les flux trouvent une base de connaissances par son nom. Après l’avoir renommée, changez ' +
      'aussi le nom dans les flux.',
    minScore: 'Score minimal',
    minScoreHint:
      'De 0 à 1 : à quel point un passage doit répondre à la question. Vide : 0,35. Si le bot ' +
      'répond à des questions que les documents ne traitent pas, augmentez la valeur ; s’il ' +
      'manque des réponses, diminuez-la.',
    minScoreOf: (name) => `Score minimal de « ${name} »`,
    minScoreEffect:
      'Ce réglage modifie la base de connaissances : il vaut pour toutes les réponses, pas ' +
      'seulement pour la recherche de cette page, et remplace le score minimal des cartes.',
    minScoreChanged: 'Le score minimal a été modifié',
    noMinScore: '0,35',
    delete: 'Supprimer',
    deleteOne: (name) => `Supprimer ${name}`,
    deleteText:
      'La base de connaissances et tous ses fichiers sont supprimés. Cette action est ' +
      'irréversible.',
    deleted: 'La base de connaissances a été supprimée',
    fallback: 'Documents',
  },
  add: {
    title: 'Ajouter des fichiers',
    chosen: files,
    none: 'Aucun fichier choisi',
    hint:
      'Déposez ici des fichiers ou des dossiers. Un fichier du même nom est remplacé si son ' +
      'contenu est différent, sinon ignoré.',
    types:
      'Types indexables : PDF, Word (docx, rtf), Excel (xlsx), PowerPoint (pptx), OpenDocument ' +
      '(odt, ods, odp), EPUB, e-mail (eml), HTML, Markdown, CSV, TSV, JSON, YAML, XML et autres ' +
      'textes. Les fichiers d’autres types sont seulement enregistrés.',
    start: 'Importer',
    startReplacing: 'Importer et remplacer',
    readingFolders: 'Lecture des dossiers…',
    replaces: (count) => `Remplace ${files(count)} :`,
    skips: (count) =>
      `${files(count)} au contenu identique ${plural(count, 'sera ignoré', 'seront ignorés')}.`,
  },
  upload: {
    title: 'Importation',
    running: (done, total) => `${thousands(done)} sur ${files(total)}`,
    waiting: 'Le serveur est injoignable. L’importation reprendra dès qu’il répondra.',
    done: (uploaded) => amount(uploaded, 'fichier importé', 'fichiers importés'),
    replaced: (count) => amount(count, 'remplacé'),
    skipped: (count) => `${thousands(count)} déjà ${plural(count, 'présent')}`,
    failed: (count) => amount(count, 'échec'),
    progress: 'Progression de l’importation',
    progressOf: (name) => `Progression : ${name}`,
    retry: 'Réessayer les échecs',
    stop: 'Arrêter',
    close: 'Fermer',
    more: (count) => `et ${amount(count, 'autre')}`,
    resume:
      'Pour continuer, choisissez de nouveau les mêmes fichiers ou le même dossier. Les fichiers ' +
      'déjà présents sont ignorés.',
  },
  file: {
    title: 'Fichier',
    document: 'Document',
    passages: 'Passages tels que le bot les lit',
    kinds: {
      title: 'titre',
      subtitle: 'sous-titre',
      paragraph: 'paragraphe',
      blockquote: 'citation',
      list: 'liste',
      table: 'tableau',
      code: 'code',
      image: 'image',
      page: 'page',
    },
    noPassages: 'Aucun passage',
    passageHints: {
      upload_pending: 'Le contenu n’est pas arrivé. Importez de nouveau le fichier.',
      upload_failed: 'Le contenu n’est pas arrivé. Importez de nouveau le fichier.',
      upload_completed:
        'Ce fichier est enregistré, mais la recherche ne le trouve pas. Indexez-le pour qu’elle ' +
        'le trouve.',
      indexing_pending: 'Le serveur lit le fichier. Les passages s’afficheront ici.',
      indexing_failed: 'Le serveur n’a pas pu lire le fichier.',
      indexing_completed: 'Le fichier ne contient pas de texte.',
    },
    page: (page) => `page ${page}`,
    noPreview:
      'Le navigateur ne peut pas afficher ce type ici. Téléchargez le fichier pour le lire.',
    readText:
      'Le navigateur ne peut pas afficher ce type ici. Voici le texte que le serveur y a lu, ' +
      'dans l’ordre des passages.',
    more: 'Charger la suite du texte',
    beginning: 'Seul le début est affiché.',
    webPage: 'Page web',
  },
  websites: {
    title: 'Sites web',
    page: 'Site web',
    add: 'Ajouter un site web',
    adding: 'Ajouter',
    added: 'Le serveur lit le site web',
    hint:
      'Le serveur lit une page, ou toutes les pages d’un sitemap. Il respecte robots.txt et ' +
      'relit les pages selon la fréquence choisie : les pages modifiées sont remplacées, les ' +
      'pages supprimées sont retirées.',
    empty: 'Aucun site web pour le moment',
    emptyHint:
      'Ajoutez l’adresse d’une page ou d’un sitemap. Le bot répond à partir de ses pages.',
    emptyReader: 'Personne n’a encore ajouté de site web.',
    url: 'Adresse',
    urlHint: 'Le sitemap de la plupart des sites se trouve sous /sitemap.xml.',
    type: 'Lire',
    types: { page: 'Cette page', sitemap: 'Toutes les pages de ce sitemap' },
    schedule: 'Relire',
    schedules: {
      off: 'Jamais',
      daily: 'Chaque jour',
      weekly: 'Chaque semaine',
      monthly: 'Chaque mois',
    },
    maxPages: 'Au maximum (pages)',
    status: 'État',
    statuses: {
      pending: 'En attente',
      fetching: 'Lecture en cours',
      completed: 'Lu',
      failed: 'Échec',
    },
    progress: ({ total, done, failed }, isRunning) => {
      const read = isRunning ? `${thousands(done)} sur ${pages(total)}` : pages(total)
      return failed > 0 ? `${read}, ${amount(failed, 'non lue', 'non lues')}` : read
    },
    last: 'Dernière lecture',
    next: 'Prochaine lecture',
    refresh: 'Relire maintenant',
    change: (url) => `Relire : ${url}`,
    changed: 'La fréquence a été modifiée',
    edit: 'Modifier l’adresse',
    edited: 'L’adresse a été modifiée. Le serveur lit le site web',
    editText:
      'Les pages de l’ancienne adresse seront retirées quand le serveur aura lu la nouvelle.',
    delete: 'Supprimer le site web',
    deleteOne: (url) => `Supprimer ${url}`,
    deleteText: 'Le bot ne trouve plus ses pages. Cette action est irréversible.',
    deleted: 'Le site web a été supprimé',
    pages: 'Pages',
    noPages: 'Aucune page',
    noPagesHint: 'Les pages s’affichent ici à mesure que le serveur les lit.',
    checked: 'Vérification',
    file: 'Passages',
    pageStatuses: {
      pending: 'En attente',
      fetched: 'Lue',
      unchanged: 'Inchangée',
      blocked: 'Interdite par robots.txt',
      failed: 'Échec',
      gone: 'Supprimée',
    },
  },
  query: {
    title: 'Tester une question',
    question: 'Question',
    placeholder: 'Comment retourner un article ?',
    all: 'Tous les fichiers',
    submit: 'Rechercher',
    hint: 'Voyez quels passages le bot trouve pour une question, et pourquoi.',
    results: 'Passages',
    score: 'Score',
    wordScore: 'Mots',
    vectorScore: 'Sens',
    mergedScore: 'Mots et sens',
    rerankScore: 'Lu par un modèle',
    low: (minScore, owner) =>
      `Sous le score minimal ${decimal(minScore)}${minScoreOwners[owner]} : non utilisé`,
    lowHint:
      'Le score minimal de la base de connaissances l’emporte. Si elle n’en a pas, c’est ' +
      '`minScore` de la carte, s’il est défini.',
    inWords: ({ matched, vectorScore, minScore }) => {
      const found =
        matched.length > 0 ? `Mots trouvés : ${matched.join(', ')}` : 'Aucun mot trouvé'
      const meaning =
        vectorScore === undefined ? '' : ` ; sens ${decimal(vectorScore.toFixed(2))}`
      return `${found}${meaning} ; il faut ${decimal(minScore)}.`
    },
    minScore: (minScore) => `Modifier le score minimal (${decimal(minScore)})`,
    minScoreOf: (name, minScore) =>
      `Modifier le score minimal (${decimal(minScore)}) de « ${name} »`,
    verdict: {
      title: 'Ce que fait le bot',
      answers: 'Le bot répond :',
      chooses:
        'Le bot demande laquelle de ces questions est la bonne, puis envoie la réponse choisie :',
      source: (name) => `Source : ${name}`,
      model: (count) =>
        `Le bot transmet ${passages(count)} à son modèle de langage, qui rédige la réponse.`,
      low: (score, minScore) =>
        `Le bot ne répond pas : le meilleur passage a un score de ${decimal(score)}, il faut ` +
        `${decimal(minScore)}.`,
      lacking:
        'Le bot ne répond pas : la question demande un nombre, une heure ou un prix qui manque ' +
        'au meilleur passage.',
      nothing: 'Le bot ne répond pas : il ne trouve aucun passage.',
    },
    cardLimits: (limit, minScore) => {
      const atMost = limit && (limit === '1' ? '1 passage' : `${limit} passages`)
      const parts = [
        atMost && `au maximum ${atMost}`,
        minScore && `score minimal ${decimal(minScore)}`,
      ]
      const limits = `Limites de la carte qui a cherché : ${parts.filter(Boolean).join(', ')}.`
      return minScore
        ? `${limits} Si une base de connaissances a son propre score minimal, c’est lui qui compte.`
        : limits
    },
    clearLimits: 'Rechercher sans ces limites',
    why: 'Pourquoi ces passages',
    matched: (all) => `Mots trouvés : ${words(all)}.`,
    missing: (all) => `Absent de tous les passages : ${words(all)}.`,
    replaced: (word, by) =>
      by.length > 0
        ? `Recherche de ${words(by)} à la place de « ${word} ».`
        : `Recherche de mots qui ressemblent à « ${word} », absent de tous les passages.`,
    wordsOnly:
      'La recherche compare les mots. Avec des embeddings, elle compare aussi le sens.',
    embeddings: 'Configurer les embeddings',
    withVectors: 'La recherche compare les mots et le sens.',
    withReranking:
      'Un modèle a lu la question avec les meilleurs passages et les a classés.',
    nothing: 'Aucun résultat',
    noTerms:
      'La question ne contient aucun mot à rechercher, seulement des mots très courants.',
    noFiles: 'Il n’y a aucun fichier où chercher. Ajoutez-en d’abord.',
    noneReady: 'Aucun fichier n’est encore indexé.',
    pending: (count) => `${files(count)} en cours de lecture. Réessayez dans un instant.`,
    failed: (count) =>
      `${files(count)} ${plural(count, 'n’a pas pu être lu', 'n’ont pas pu être lus')}.`,
    showFailed: 'Les afficher',
    elsewhere: 'Une autre base de connaissances a un passage pour cette question :',
    rephrase:
      'Utilisez dans la question des mots des documents, ou ajoutez ces mots au document qui ' +
      'doit y répondre.',
  },
}
