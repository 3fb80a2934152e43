import { type CasAnnotation, type CasSofa, rawCasDocument } from './cas-document.js';
import type { RawDocument } from './raw-document.js';
import { XmlReader, type XmlTag } from './xml-reader.js';

/** `http:///de/tudarmstadt/ukp/dkpro/core/api/ner/type.ecore` stands for the package of its types. */
const PACKAGE = /^http:\/\/\/(?:(.*)\.)?ecore$/;
/** Other structures that a feature points at, by their numbers; a label is none. */
const REFERENCES = /^\d+( \d+)*$/;
const NO_NAMESPACE = 'noNamespace';

/**
 * A document of UIMA CAS XMI 2.0, whose offsets count UTF-16 units of `sofaString`. Its type system is not
 * asked for: which features a layer has is told by its annotations. Throws `corpus-invalid`.
 */
export function parseCasXmi(xml: string, id: string, origin: string): RawDocument {
  const packages = new Map<string, string>();
  const sofas: CasSofa[] = [];
  const annotations: CasAnnotation[] = [];
  const reader = new XmlReader(origin, {
    open(tag, depth) {
      if (depth === 0) {
        if (!/(^|:)XMI$/.test(tag.name)) reader.fail('expected an element "xmi:XMI" at the root');
        for (const [name, value] of Object.entries(tag.attributes)) {
          const prefix = /^xmlns:(.+)$/.exec(name)?.[1];
          if (prefix !== undefined) packages.set(prefix, packageOf(value));
        }
      }
      if (depth !== 1) return;
      const layer = layerOf(tag.name, packages);
      if (layer === 'uima.cas.Sofa') sofas.push(...sofaOf(tag));
      else annotations.push(...annotationOf(tag, layer, reader));
    },
  });
  reader.write(xml);
  reader.end();
  return rawCasDocument({ sofas, annotations, features: new Map() }, id, origin);
}

/** The package that a namespace of XMI stands for. */
export function packageOf(uri: string): string {
  const path = PACKAGE.exec(uri)?.[1] ?? '';
  return path === NO_NAMESPACE ? '' : path.replaceAll('/', '.');
}

/** The type of an element of XMI. */
export function layerOf(name: string, packages: ReadonlyMap<string, string>): string {
  const [prefix = '', local] = name.split(':');
  if (local === undefined) return prefix;
  const own = packages.get(prefix) ?? prefix;
  return own === '' ? local : `${own}.${local}`;
}

function sofaOf({ attributes }: XmlTag): CasSofa[] {
  const { sofaString, sofaID = '' } = attributes;
  const id = attributes['xmi:id'];
  return sofaString === undefined || id === undefined
    ? []
    : [{ id, view: sofaID, text: sofaString }];
}

function annotationOf({ attributes }: XmlTag, layer: string, reader: XmlReader): CasAnnotation[] {
  const { sofa, begin, end, ...others } = attributes;
  if (sofa === undefined || begin === undefined || end === undefined) return [];
  if (!/^\d{1,10}$/.test(begin) || !/^\d{1,10}$/.test(end))
    reader.fail('"begin" and "end" of an annotation; expected integers from 0');
  const features = Object.fromEntries(
    Object.entries(others).filter(
      ([name, value]) => !/^xmi(ns)?:/.test(name) && (name === 'value' || !REFERENCES.test(value)),
    ),
  );
  const { place } = reader;
  return [{ layer, sofa, begin: Number(begin), end: Number(end), features, place }];
}
