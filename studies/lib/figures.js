// @ts-check
/** What a program of a study is given, and how it says what it measured. */

/** @typedef {'ms' | 'us' | 'per_s' | 'bytes' | 'share' | ''} FigureUnit */
/** @typedef {{ unit: FigureUnit, values: number[] }} Figure */

/**
 * How large the study is to be measured.
 * @param {object} of
 * @param {number} of.fallback when the program is started by hand
 * @param {number} [of.least] that shows what is looked for
 */
export function sizeOf({ fallback, least = 1 }, env = process.env) {
  const size = Number(env.STUDY_SIZE ?? fallback);
  if (!Number.isInteger(size) || size < least) {
    throw new Error(`the size must be a whole number from ${least}; found "${env.STUDY_SIZE}"`);
  }
  return size;
}

/** Figures under their names, as `plimsoll study` reads them. */
export function createFigures() {
  /** @type {Record<string, Figure>} */
  const figures = {};
  return {
    figures,
    /** @param {string} name @param {FigureUnit} unit @param {...number} values measured one after the other */
    add(name, unit, ...values) {
      const broken = values.find((value) => !Number.isFinite(value));
      if (values.length === 0 || broken !== undefined) throw new Error(`${name} was not measured: ${broken}`);
      figures[name] ??= { unit, values: [] };
      figures[name].values.push(...values);
    },
    print() {
      process.stdout.write(`${JSON.stringify({ figures }, undefined, 2)}\n`);
    },
  };
}
