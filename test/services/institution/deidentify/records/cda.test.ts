import { describe, expect, test } from '@jest/globals';
import { deidentifyCda } from '../../../../../services/institution/deidentify/records/cda/deidentify-cda.js';
import { movedTime } from '../../../../../services/institution/deidentify/records/cda/hl7-time.js';
import { NAME, taggedNames } from './tagged-names.js';

// In the shape of HL7's C-CDA-Examples, of which nothing is copied.
const OPEN =
  '<?xml version="1.0" encoding="UTF-8"?>\n<?xml-stylesheet type="text/xsl" href="CDA.xsl"?>\n' +
  '<ClinicalDocument xmlns="urn:hl7-org:v3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ' +
  'xmlns:sdtc="urn:hl7-org:sdtc">';
const document = (body: string) => `${OPEN}\n${body}\n</ClinicalDocument>\n`;
const clean = (body: string, context = taggedNames()) =>
  deidentifyCda(document(body), context, 'f');
/** What became of a part of a document. */
const part = async (body: string) =>
  (await clean(body)).slice(OPEN.length + 1, -'\n</ClinicalDocument>\n'.length);

describe('a CDA document', () => {
  test('without PHI stays as it is, to the byte', async () => {
    const body =
      '<templateId root=\'2.16.840.1.113883.10.20.22.1.1\' extension="2015-08-01" />\n' +
      '<component ><section><code code="11488-4"   codeSystem="2.16.840.1.113883.6.1"/>' +
      '<text><list listType="ordered"><item>Well &#233; &amp; <![CDATA[<ok>]]></item></list></text>' +
      '<entry typeCode="DRIV"><observation classCode="OBS" moodCode="EVN" negationInd="false">' +
      '<value xsi:type="PQ" value="7.0" unit="mg/dL"/><statusCode nullFlavor="UNK"/></observation></entry>' +
      '</section></component>';
    expect(await clean(body)).toBe(document(body));
  });

  test('has its header masked, renamed and moved', async () => {
    const found = await part(
      '<id root="2.16.840.1.1" extension="TT988" assigningAuthorityName="Zacarias"/>' +
        '<effectiveTime value="20200228093000+0500"/><recordTarget><patientRole>' +
        '<id extension="998991" root="1.2.3"/><addr use="HP"><streetAddressLine>Zacarias 1</streetAddressLine></addr>' +
        '<telecom value="tel:+1(555)" use="HP"/><patient><name use="L"><given>Zacarias</given></name>' +
        '<birthTime value="19750501"/></patient></patientRole></recordTarget>',
    );
    expect(found).toMatch(
      /^<id root="2\.16\.840\.1\.1" extension="[0-9a-f]{32}"\/><effectiveTime value="20(18|19|20)\d{4}093000"\/>/,
    );
    expect(found).toMatch(
      /<addr nullFlavor="MSK" use="HP"\/><telecom nullFlavor="MSK" use="HP"\/><patient><name nullFlavor="MSK" use="L"\/><birthTime value="197\d{5}"\/>/,
    );
    expect(found).not.toMatch(/Zacarias|TT988|998991|19750501|20200228/);
  });

  test('has its anchors renamed, alike wherever they stand, and no words in codes', async () => {
    const found = await part(
      '<text><paragraph ID="Zacarias" styleCode="Bold Italics">Well</paragraph></text>' +
        '<text><reference value="#Zacarias"/></text><code code="Dr Zacarias"/><th headers="b Zacarias"/>',
    );
    expect(found).toMatch(
      /^<text><paragraph ID="(a[0-9a-f]{16})" styleCode="Bold Italics">Well<\/paragraph><\/text><text><reference value="#\1"\/><\/text><code\/><th headers="a[0-9a-f]{16} \1"\/>$/,
    );
  });

  const SYSTEM = 'codeSystem="2.16.840.1.113883.6.96"';
  const IDENTIFYING = ['SMITH^JOHN^^DR', '+1-617-555-1234', '12345678Z', '03/05/2020', '12Feb1943'];

  test.each([...IDENTIFYING, '447-71-8223', '4111-1111-1111-1111'])(
    'has no code that is %s, wherever it stands',
    async (code) => {
      const body =
        `<code code="${code}" ${SYSTEM}><translation code="${code}" ${SYSTEM}/>` +
        `<qualifier><value code="${code}"/></qualifier></code>` +
        `<code code="1" ${SYSTEM} codeSystemVersion="${code}" qualifier="${code}" unit="${code}"/>` +
        `<templateId root="1.2.3" extension="${code}"/>`;
      const found = await part(body);
      const kept = found.split(code).length - 1;
      // A version may be a date.
      expect(kept).toBe(/20$|43$/.test(code) ? 2 : 0);
    },
  );

  test.each(['19430211', '20200503', '194302111200', '02111943'])(
    'has no code that reads as the day %s but of a code system',
    async (code) => {
      const alone = `<code code="${code}"><translation code="${code}"/></code><code codeSystemVersion="${code}" qualifier="${code}"/>`;
      expect(await part(alone)).toBe('<code><translation/></code><code/>');
      const ofSystem = `<code code="${code}" ${SYSTEM} codeSystemVersion="${code}"/>`;
      expect(await part(ofSystem)).toBe(ofSystem);
      const ofName = `<code code="${code}" codeSystem="Ward"/>`;
      expect(await part(ofName)).toBe('<code codeSystem="Ward"/>');
    },
  );

  test.each(['22298006', '900000000000207008', '8867-4', 'I10', 'C09AA02', '10*3/uL', 'mm[Hg]'])(
    'keeps the code %s',
    async (code) => {
      const body = `<code code="${code}" ${SYSTEM}><translation code="${code}"/><qualifier><value code="${code}"/></qualifier></code>`;
      expect(await part(body)).toBe(body);
    },
  );

  test('may have a text of very many elements', async () => {
    const body = `<text>${'well<br/>'.repeat(100_000)}${NAME}<br/></text>`;
    expect((await part(body)) === body.replace(NAME, '[NAME]')).toBe(true);
  });

  test('has no age over 89 years, any other', async () => {
    const found = await part(
      '<value xsi:type="PQ" value="92" unit="a"/><value xsi:type="PQ" value="89" unit="a"/>' +
        '<value xsi:type="PQ" value="92" unit="kg"/>',
    );
    expect(found).toBe(
      '<value xsi:type="PQ" unit="a"/><value xsi:type="PQ" value="89" unit="a"/>' +
        '<value xsi:type="PQ" value="92" unit="kg"/>',
    );
  });

  test('has its narrative read as one text, its markup kept', async () => {
    const body =
      '<section><title>About Zacarias</title><text><table border="1"><tr><td onclick="x">Zacarias</td>' +
      '<td>Mr <content styleCode="Bold">Zacarias</content> Quint</td></tr></table></text></section>';
    expect(await part(body)).toBe(
      '<section><title>About [NAME]</title><text><table border="1"><tr><td>[NAME]</td>' +
        '<td>Mr <content styleCode="Bold">[NAME]</content></td></tr></table></text></section>',
    );
  });

  test('has every other text and label read, also of values and drugs', async () => {
    const body =
      '<code code="1" displayName="Zacarias sign"><originalText>Zacarias</originalText></code>' +
      '<value xsi:type="ST">Zacarias</value><manufacturedMaterial><name>Aspirin Zacarias</name></manufacturedMaterial>' +
      '<playingEntity classCode="MMAT"><name>Nuts</name></playingEntity>' +
      '<playingEntity classCode="PSN"><name><family>Ann</family></name></playingEntity>' +
      '<value xsi:type="IVL_TS"><low value="20200101"/></value><value xsi:type="PN"><given>Ann</given></value>';
    const found = await part(body);
    expect(found).not.toMatch(/Zacarias|Ann|20200101/);
    expect(found).toContain('<name>Aspirin [NAME]</name>');
    expect(found).toContain('<playingEntity classCode="MMAT"><name>Nuts</name>');
    expect(found).toContain('<value nullFlavor="MSK"/>');
  });

  test('loses comments, foreign elements, unknown attributes and what is no text, all counted', async () => {
    const context = taggedNames();
    const found = await clean(
      '<!-- Zacarias --><?program Zacarias?><acme:note xmlns:acme="urn:acme">Zacarias<b/></acme:note>' +
        '<code code="1" note="Zacarias"/><text mediaType="application/pdf" representation="B64">JVBERg==</text>' +
        '<languageCode code="en-US"/>',
      context,
    );
    expect(found).toBe(
      document(
        '<code code="1"/><text nullFlavor="MSK" mediaType="application/pdf"/><languageCode code="en-US"/>',
      ),
    );
    expect(context.counts.removed).toEqual({
      comments: 2,
      extensions: 1,
      unknown: 1,
      attachments: 1,
    });
  });

  test.each([
    '<supply><expectedUseTime xsi:type="IVL_TS"><low value="20200503"/></expectedUseTime></supply>',
    '<expectedUseTime><low value="20200503"/></expectedUseTime>',
    '<effectiveTime xsi:type="SXPR_TS"><comp operator="I"><low value="20200503"/></comp></effectiveTime>',
    '<value xsi:type="SXPR_TS"><comp xsi:type="IVL_TS"><low value="20200503"/></comp></value>',
    '<value xsi:type="GLIST_TS"><head value="20200503"/></value>',
    '<value xsi:type="ED">x<reference><useablePeriod xsi:type="IVL_TS"><low value="20200503"/></useablePeriod></reference></value>',
  ])('has its times moved wherever they stand: %s', async (body) => {
    const found = await part(body);
    expect(found).toMatch(/value="20(18|19|20)\d{4}"/);
    expect(found).not.toContain('20200503');
  });

  test.each([
    '<effectiveTime><low value="20200101"/><high value="20201231"/></effectiveTime>',
    '<effectiveTime xsi:type="IVL_TS"><low value="20200101000000"></low><high value="20210101000000"/></effectiveTime>',
    '<value xsi:type="IVL_TS"><low value="20200201"/><high value="20200229"/></value>',
    '<effectiveTime><low value="202001"/><high value="202012"/></effectiveTime>',
  ])('has no period of whole months, which would say by how much it moved: %s', async (body) => {
    expect(await part(body)).toMatch(/^<(effectiveTime|value) nullFlavor="MSK"\/>$/);
    const other = await part(body.replace(/<low value="\d+/, '<low value="20200117'));
    expect(other).toMatch(/<low value="20(18|19|20)\d{4}/);
    expect(other).toMatch(/<high value="20(18|19|20)\d\d/);
  });

  test.each(['value="20210630"', 'value="202106"', 'xsi:type="TS" value="20210630"'])(
    'does not say when a drug expires: %s',
    async (time) => {
      expect(await part(`<expirationTime ${time}/>`)).toBe('<expirationTime nullFlavor="MSK"/>');
    },
  );

  test('has no time where no rule knows of one, and no number that is one of a social security', async () => {
    expect(
      await part('<onset value="20200503"/><code code="447-71-8223"/><code code="11488-4"/>'),
    ).toBe('<onset/><code/><code code="11488-4"/>');
  });

  test('has bytes and what identifies masked within a text, and nothing foreign in it', async () => {
    const found = await part(
      '<value xsi:type="ED" mediaType="text/plain">see<reference value="#i"/>' +
        '<thumbnail mediaType="image/png" representation="B64">1xggDMi6R8gM</thumbnail></value>' +
        '<originalText>x<name>Ann</name></originalText>' +
        '<text>y<v:secret xmlns:v="urn:v">Ann</v:secret></text>' +
        '<insurance xmlns="urn:vendor:ext"><memberNumber value="447718223"/></insurance>',
    );
    expect(found).not.toMatch(/1xgg|Ann|secret|insurance|447718223/);
    expect(found).toContain('<thumbnail nullFlavor="MSK"/></value>');
    expect(found).toContain('<originalText>x<name nullFlavor="MSK"/></originalText><text>y</text>');
  });

  test('moves with no other document where nothing identifies its patient', async () => {
    const context = taggedNames();
    const moved = (origin: string) =>
      deidentifyCda(
        document('<birthTime value="19750501"/><id nullFlavor="UNK"/>'),
        context,
        origin,
      );
    const all = await Promise.all(Array.from({ length: 20 }, (_, file) => moved(`${file}`)));
    // Two of twenty move alike by chance; all do not.
    expect(new Set(all).size).toBeGreaterThan(10);
    expect(await moved('0')).toBe(all[0]);
  });

  test('has ages over 89 years in widths removed too, and only null flavors that there are', async () => {
    expect(
      await part(
        '<effectiveTime xsi:type="IVL_TS"><width value="97" unit="a"/></effectiveTime>' +
          '<addr nullFlavor="Ann,Lee"/><addr nullFlavor="UNK"/>',
      ),
    ).toBe(
      '<effectiveTime xsi:type="IVL_TS"><width unit="a"/></effectiveTime>' +
        '<addr nullFlavor="MSK"/><addr nullFlavor="UNK"/>',
    );
  });

  test('is read under any prefix of its namespace, and loses a style sheet of another name', async () => {
    const found = await deidentifyCda(
      '<?xml-stylesheet type="text/xsl" href="http://h.org/Ann/CDA.xsl"?>' +
        '<n1:ClinicalDocument xmlns:n1="urn:hl7-org:v3"><n1:birthTime value="19750501"/></n1:ClinicalDocument>',
      taggedNames(),
      'f',
    );
    expect(found).toMatch(
      /^<n1:ClinicalDocument xmlns:n1="urn:hl7-org:v3"><n1:birthTime value="197\d{5}"\/><\/n1:ClinicalDocument>$/,
    );
    expect(found).not.toContain('19750501');
  });

  test.each([
    '<n1:ClinicalDocument xmlns:n1="urn:other"/>',
    '<ClinicalDocument xmlns="urn:other"><id root="1.2"/></ClinicalDocument>',
    '<cda:ClinicalDocument/>',
    '<ClinicalDocument xmlns="urn:hl7-org:v3" xmlns:i="http://www.w3.org/2001/XMLSchema-instance"/>',
    '<ClinicalDocument xmlns="urn:hl7-org:v3" xmlns:xsi="urn:other"/>',
    '<ClinicalDocument xmlns="urn:hl7-org:v3" xmlns:p="urn:a"><b xmlns:p="urn:b"/></ClinicalDocument>',
  ])('whose prefixes could hide what it holds is refused: %s', async (xml) => {
    await expect(deidentifyCda(xml, taggedNames(), 'f')).rejects.toMatchObject({
      code: 'record-invalid',
    });
  });

  test.each([
    '<text mediaType="application/pdf">JVBERg==</text>',
    '<text mediaType="application/pdf" representation="TXT">JVBERg==</text>',
    '<text mediaType="text/rtf">{\\rtf1 Zacarias}</text>',
    '<observationMedia><value xsi:type="ED" mediaType="image/jpeg">JVBERg==</value></observationMedia>',
    '<value xsi:type="ED" mediaType="image/jpeg"><reference value="file:///Zacarias.jpg"/></value>',
  ])('has nothing that is no text by its type, whatever it says of its form: %s', async (body) => {
    const context = taggedNames();
    const found = await clean(body, context);
    expect(found).toMatch(/<(text|value) nullFlavor="MSK" mediaType="[a-z/]+"\/>/);
    expect(found).not.toMatch(/JVBERg|Zacarias|TXT/);
    expect(context.counts.removed.attachments).toBe(1);
  });

  test('has text in base64 read', async () => {
    const data = Buffer.from('Seen: Zacarias').toString('base64');
    const found = await part(`<text mediaType="text/plain" representation="B64">${data}</text>`);
    expect(Buffer.from(found.replace(/<[^>]*>/g, ''), 'base64').toString()).toBe('Seen: [NAME]');
  });

  test.each([
    ['value', 'xsi:type="ED" mediaType="text/plain" representation="B64"'],
    ['text', 'representation="B64"'],
  ])(
    'has an empty %s in base64 once, without attributes that no rule knows',
    async (name, kept) => {
      const found = await part(`<${name} ${kept} filename="Zacarias.txt"/>`);
      expect(found).toBe(`<${name} ${kept}/>`);
    },
  );

  test.each([
    ['another root', '<a/>', /expected a ClinicalDocument/],
    [
      'a document type',
      `<!DOCTYPE a [<!ENTITY e "${NAME}">]><ClinicalDocument>&e;</ClinicalDocument>`,
      /^f:1:\d+: document type declarations are refused/,
    ],
    ['an end too few', `<ClinicalDocument>${NAME}`, /not well-formed/],
    ['elements without end', '<ClinicalDocument>'.repeat(300), /lie deeper than 256/],
  ])('with %s is refused, and not quoted', async (_, xml, message) => {
    const error = await deidentifyCda(xml, taggedNames(), 'f').catch((caught: Error) => caught);
    expect(error).toMatchObject({
      code: 'record-invalid',
      message: expect.stringMatching(message),
    });
    expect((error as Error).message).not.toContain(NAME);
  });
});

describe('times of HL7', () => {
  test.each([
    ['20200228', 2, '20200301'],
    ['202002281530-0500', 1, '202002291530'],
    ['20200329033000.5+0200', -60, '20200129033000.5'],
    ['202001', 30, '202002'],
    ['2020', -300, '2019'],
  ])('%s moved by %i days is %s', (time, days, expected) => {
    expect(movedTime(time, days)).toBe(expected);
  });

  test.each(['', 'x', '2020022', '0999', '99991231', '19000101'])('%j is none', (time) => {
    expect(movedTime(time, 1)).toBeUndefined();
  });
});
