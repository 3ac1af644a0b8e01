// Words of questions to shops and services, without accents as indexed: words that say nothing or little
// about the subject, beside PostgreSQL's lists of stop words, and synonyms. Search by meaning does not need
// them; without an embedding model, they connect "How much is …?" with a price.

const toSet = (words: string) => new Set(words.trim().split(/\s+/))

/** They count only where a question has no other word. */
const functionWords = toSet(`
per would could may might shall must cannot much many often else ever also please thanks thank
hello hi hey ok okay sorry excuse me whats wheres hows whens im ive id ill youre dont doesnt
isnt arent cant wont didnt u ur pls thx something anything somebody anybody someone anyone
everything thing things kind sort upon us lot let lets yes please whether within already
actually just still really maybe tell wonder wondering question questions
hallo guten bitte danke gerne mal eigentlich denn gibt gibts geht gehts habt wieviel wie viel
viele wann wo wohin woher wer wen wem warum wieso weshalb welche welcher welches kann konnte
konnten darf durfen soll sollte muss mussen mochte mochten wurde wurden etwas irgendwas jemand
noch schon auch nur mich mir uns ihnen ihrem ihrer euch frage sagen wissen entschuldigung
hola buenos buenas gracias favor perdon cuanto cuanta cuantos cuantas cuando donde quien quienes
cual cuales como que por para hay puedo puede pueden podria podrian quiero quisiera saber decir
pregunta algo alguno alguna alguien su sus si
bonjour bonsoir salut merci svp plait pardon combien quand ou comment pourquoi quel quelle quels
quelles est ce puis peut peux pouvez peuvent pourrais voudrais veux il elle on y a t savoir dire
question quelque chose
ciao salve buongiorno grazie favore scusi quanto quanta quanti quante quando dove chi quale
quali come perche posso puo potete vorrei sapere domanda qualcosa
ola oi obrigado obrigada quanto quanta quantos quantas quando onde quem qual quais porque posso
pode podem gostaria dizer pergunta alguma algum voces voce
goedemorgen goedendag alstublieft bedankt hoeveel wanneer waar wie welke hoe kan kunnen mag
graag iets weten vraag
مرحبا السلام عليكم شكرا فضلك هل ما ماذا متى اين كم كيف من في على الى عن هو هي
της του και το τα τη με για πως ποτε που ποσο ποια ειναι εχετε μπορω
क्या कब कहां कितना कितने कैसे है हैं में का की के को से पर
האם מה מתי איפה כמה איך של את על אני יש אפשר
`)
export const isFunctionWord = (word: string): boolean =>
  functionWords.has(word) || /^[\p{Script=Latin}]$/u.test(word)

/** They count less: what a shop offers, needs or does is seldom the subject. */
const weakWords = toSet(`
get got getting gets give giving gives want need needs needed like make makes take takes taking
go going goes come comes coming find know use using used possible able offer offers offering
provide provides sell sells selling have has available there long far old happens happen work
works item items now today person people policy information info details detail fix possible
necessary exactly currently turn
geben bekommen bekomme bekomm bieten bietet anbieten an verkaufen verkauft machen macht kommen
komme kommt gehen nehmen brauche brauchen braucht finde finden moglich lange weit alt mitbringen
mitnehmen ab bis
tener tienen tiene ofrecen ofrece venden vende hacer hacen hace necesito necesita dar dan ir
llegar posible tarda hora estan esta estais
avoir avez proposez propose vendez faire faites fait besoin donner aller trouver trouve possible
temps laisser prendre etes es
avere avete offrite vendete fare bisogno serve trovare possibile tempo
ter tem oferecem vendem fazer preciso possivel tempo
hebben heeft bieden verkopen doen nodig mogelijk lang
`)
export const isWeakWord = (word: string): boolean => weakWords.has(word)

/**
 * Each line is a concept, with its words in the forms that documents and questions have. A word before ">"
 * also stands for those after it, but not the other way round.
 */
const concepts = `
price prices cost costs costing fee fees charge charges rate rates tariff priced
expensive cheap > price cost costs
open opens opening opened
hours > open opening
close closes closing closed
return returns returning returned
back > return returns returned refund
refund refunds refunded reimburse reimbursement
money > refund refunded reimburse
deliver delivery delivers delivered delivering ship shipping ships shipment shipped dispatch postage
arrive arrives > delivery delivered
order orders purchase buy bought
cancel cancellation cancelling canceling canceled cancelled cancelation
book booking bookings booked reserve reservation reservations reserving reserved
appointment appointments
pay payment payments paying paid
phone telephone
call reach > phone telephone
email mail
contact > phone telephone email
address location located
park parking
elevator lift
kid kids child children
toddler baby > child children
dog dogs > pet pets animals
cat cats > pet pets animals
pet pets animal animals
wifi internet wlan wireless
discount discounts reduction reduced rebate
broken damaged defective damage faulty
stolen theft
guarantee warranty
license licence licences licenses
recover restore backup recovery
remove delete uninstall
id > passport identification
requirements > requires need needs required
job jobs career vacancy vacancies
invoice bill receipt
luggage baggage bags suitcase
bathroom toilet toilets restroom
disabled handicapped > wheelchair accessible
wheelchair accessible accessibility
holiday holidays vacation vacations
old > age
duration > minutes hours days
winter > november december january february
summer > june july august
preis preise kosten kostet koste gebuhr gebuhren tarif
teuer > preis kosten kostet
geoffnet offen offnungszeiten offnet offnen
sprechzeiten sprechstunde
zuruckgeben ruckgabe zuruckschicken retoure umtausch umtauschen zurucksenden
erstattung erstatten ruckerstattung
geld > erstattung erstatten
liefern lieferung versand versenden lieferzeit verschicken versandkosten
stornieren stornierung absagen storno
kundigen kundigung
buchen buchung reservieren reservierung
termin termine
bezahlen zahlen zahlung bezahlung zahlungsarten
parken parkplatz parkplatze stellplatz stellplatze
auto > parken parkplatz stellplatz
abstellen > parken stellplatz
hund hunde katze > haustier haustiere tiere
haustier haustiere hunde
einchecken checkin anreise
ankunft > anreise
auschecken checkout abreise
wlan wifi internet
kind kinder
baby > kinder kinderbett
kostenlos gratis umsonst
inklusive enthalten
telefon telefonnummer anrufen
kontakt > telefon
adresse anschrift
precio precios cuesta cuestan costar coste tarifa tarifas
vale valen > precio cuesta
abren abre abrimos abierto horario horarios
cierran cerramos cerrado
devolver devolucion devoluciones devuelvo retornar
reembolso reembolsar devuelven devolvemos
dinero > reembolso
envio envios enviar enviamos entrega
llegar pedido > entrega envio
paquete > envio seguimiento
pagar pago pagos
direccion ubicacion > calle
cancelar cancelacion anular
reservar reserva
gratis gratuito gratuita
prix tarif tarifs coute coutent cout
entree > tarif tarifs
ouvert ouverts ouverte ouvre horaires
ferme fermes fermeture
gratuit gratuite gratuits
enfant enfants > ans
retourner retour retours renvoyer rendre
remboursement rembourser
argent > remboursement
livraison livrer livrez expedier envoi
annuler annulation
reserver reservation
payer paiement
sac sacs bagage bagages
handicapes handicape handicap > accessible accessibles fauteuil
accessible accessibilite accessibles
trouve situe
garer > parking stationnement
prezzo prezzi costa costano costo tariffa
aperto aperti aprite orario orari
restituire reso resi restituzione
rimborso rimborsare
consegna spedizione spedire spedite
pagare pagamento
preco precos custa custam custo tarifa
aberto abrem horario horarios
devolver devolucao
entrega envio enviar
prijs prijzen kost kosten tarief
open openingstijden geopend
terugsturen retour retourneren
verzending verzenden levering bezorgen bezorging
betalen betaling
料金 値段 価格
営業 開店
返品 交換
送料 配送 配達
予約 申込`

const synonyms = new Map<string, string[]>()
const addAll = (words: string[], others: string[]) => {
  for (const word of words) synonyms.set(word, [...(synonyms.get(word) ?? []), ...others])
}
for (const line of concepts.trim().split('\n')) {
  const [left, right] = line.split(' > ').map((side) => side.split(' '))
  addAll(left!, right ?? left!)
}

/** Returns words of the same concepts, without the word itself. */
export const findSynonyms = (word: string): string[] =>
  [...new Set(synonyms.get(word) ?? [])].filter((other) => other !== word)
