// Words for powers of ten in many languages, mostly from the compact numbers of CLDR. A word with
// several exponents has several meanings: a billion has nine or twelve zeros.
import { lazily } from '../../engine/lazily.ts'
import { plain } from '../words.ts'

const lines = `
  hundred,hundreds,hundert,cien,ciento,cem,cento,honderd,hundra,hundre,hundrede,सौ,百,백,مئة 2
  مائة 2
  k,thousands,thou,grand,tsd,millier,milliers,千,duisend,ألف,آلاف,хиляди,হাজার,হা,miler,milers,tisíc 3
  tisíce,tusind,tausend,χιλιάδα,χιλιάδες,χιλ,thousand,tuhat,هزار,tuhatta,હજાર,אלף,हज़ार,tisuća 3
  tisuće,ezer,հազար,հզր,ribu,þúsund,mila,ათასი,ათ,мың,ពាន់,ಸಾವಿರ,천,ພັນ,tūkstantis,tūkstančiai 3
  tūkstančių,tūkst,tūkstotis,tūkstoši,илјада,илјади,илј,ആയിരം,हजार,ထောင်,tusen,duizend,tysiąc 3
  tysiące,tysięcy,tys,тысяча,тысячи,тысяч,тыс,දහස,tisoč,хиљада,хиљаде,хиљ,ஆயிரம்,వేయి,వేలు,พัน 3
  тисяча,тисячі,тисяч,тис,ہزار,nghìn,mille 3
  万,만,သောင်း,หมื่น,萬 4
  lakh,lakhs,lac,lacs,লাখ,লা,લાખ,लाख,ແສນ,သိန်း,แสน,لاکھ 5
  mn,mill,milhoes,百万,백만,millon,miljoen,مليون,ملايين,milyon,mln,милион,милиона,млн,milió 6
  milions,milion,miliony,milionů,million,millioner,mio,millionen,εκατομμύριο,εκατομμύρια,εκ 6
  millón,millones,miljon,miljonit,milioi,میلیون,miljoona,miljoonaa,milj,millions,millóns 6
  מיליון,milijun,milijuna,millió,միլիոն,մլն,juta,milljón,milljónir,milione,milioni,მილიონი,მლნ 6
  миллион,លាន,ಮಿಲಿಯನ್,ಮಿ,ລ້ານ,milijonas,milijonai,milijonų,miljons,miljoni,милиони,мил,ദശലക്ഷം 6
  သန်း,milionów,milhão,milhões,milioane,миллиона,миллионов,මිලියන,මි,milión,milióny,miliónov 6
  milijon,milijona,milijonov,miljoner,மில்லியன்,மி,మిలియన్,మిలియన్లు,మి,ล้าน,мільйон,мільйони 6
  мільйонів,triệu 6
  crore,crores,cr,千万,천만,কোটি,કરોડ,करोड़,कोटी,کروڑ 7
  億,억,亿 8
  bn,milliarde,millardo,millardos,miljard,mjd,مليار,milyard,mlrd,милиард,милиарда,млрд 9
  miliarda,miliardy,miliard,mld,milliard,milliarder,mia,milliarden,mrd,δισεκατομμύριο 9
  δισεκατομμύρια,δισ,miljardit,میلیارد,miljardi,miljardia,milliards,અબજ,מיליארד,अरब,milijarda 9
  milijarde,milijardi,milliárd,միլիարդ,մլրդ,miliar,milljarður,milljarðar,miliardo,miliardi 9
  მილიარდი,მლრდ,მლრ,миллиард,ប៊ីលាន,ಬಿಲಿಯನ್,ಬಿ,ຕື້,milijardas,milijardai,milijardų,miljards 9
  mljrd,милијарда,милијарди,милј,ബില്യൺ,अब्ज,miliardów,bilhão,bilhões,miliarde,миллиарда 9
  миллиардов,බිලියන,බි,miliárd,milijard,милијарде,miljarder,பில்லியன்,பி,బిలియన్,బిలియన్లు,బి 9
  พันล้าน,milyar,мільярд,мільярди,мільярдів,ارب,tỷ 9
  billionen,biliao,bilioes,trilyon,biljoen,ترليون,trln,трилион,трилиона,трлн,লাকো,bilió 12
  bilions,biliony,bilionů,billioner,τρισεκατομμύριο,τρισεκατομμύρια,τρισ,billón,billones 12
  triljon,triljonit,bilioi,هزارمیلیارد,تریلیون,biljoona,biljoonaa,bilj,billóns,મહાપદ્મ,טריליון 12
  bilijun,bilijuna,billió,տրիլիոն,տրլն,billjón,billjónir,bln,ტრილიონი,ტრლ,триллион,ទ្រីលាន 12
  ಟ್ರಿಲಿಯನ್‌,ಟ್ರಿ,조,ລ້ານລ້ານ,trilijonas,trilijonai,trilijonų,triljons,triljoni,trilj,билион 12
  билиони,бил,ട്രില്യൺ,bilionów,trilhão,trilhões,bilião,biliões,trilioane,триллиона,триллионов 12
  ට්‍රිලියන,ට්‍රි,bilión,bilióny,biliónov,bilijon,bilijona,bilijonov,билиона,biljon,biljoner 12
  டிரில்லியன்,டி,ట్రిలియన్,ట్రిలియన్లు,ట్రి,ล้านล้าน,трильйон,трильйони,трильйонів,ٹریلین,万亿 12
  billiarde,billiarden 15
  trillionen,trillones 18
  mil 3 6
  billion,billions,bilion,bilyon,bilioni 9 12
  trillion,trillions,trilion,triliun,trilioni 12 18
  兆 6 12
  tūkstančio,tysiąca,tisíca,elfu 3
  milionu,milijono,miliona,milióna,milijoni,мільйона 6
  milijardo,мільярда 9
  bilionu,trilijono,biliona,bilióna,bilijoni,трильйона 12
`

/** Exponents of ten by normalized word. */
export const scales = lazily(() => {
  const found = new Map<string, number[]>()
  for (const line of lines.trim().split('\n')) {
    const [words = '', ...exponents] = line.trim().split(' ')
    for (const word of words.split(',')) found.set(plain(word), exponents.map(Number))
  }
  return found
})
