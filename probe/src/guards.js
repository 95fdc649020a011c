// @ts-check
// What keeps requests out: authentication, validation, limits. Nobody is told to leave it out.

import { quietly } from './state.js';

/** Names of such functions, and what they say when they refuse. */
const BY_NAME =
  /auth|jwt|oauth|passport|login|csrf|xsrf|guard|acl\b|permission|role|valid|sanitiz|rate.?limit|limiter|throttl|firewall|protect|verify|captcha/i;
const BY_TEXT = /\b(401|403|429)\b|unauthori[sz]ed|forbidden|passport|jsonwebtoken|jwtVerify|jwt\.verify/i;

/** @param {string} name @param {Function} run */
export function isGuard(name, run) {
  let text = '';
  quietly(() => {
    text = Function.prototype.toString.call(run);
  });
  return BY_NAME.test(name) || BY_TEXT.test(text);
}
