// @ts-check
/** Bodies, read and checked; what is wrong with one is told in the problems of this service. */

import { jsonReader } from '@plimsoll/service-common/body.js';
import { shapeCompiler } from '@plimsoll/service-common/shapes.js';
import { Problem } from '../errors.js';

export const readJson = jsonReader(Problem);
export const compile = shapeCompiler(Problem);
