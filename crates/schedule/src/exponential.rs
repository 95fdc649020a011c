//! Exponentially distributed numbers from integers alone, so that they are the same on every machine: a logarithm
//! from a maths library may differ in its last bit from one platform to the next.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// An endless sequence of exponentially distributed numbers with mean 1.
#[derive(Debug, Clone)]
pub(crate) struct Exponential(ChaCha8Rng);

impl Exponential {
    pub(crate) fn new(seed: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Self(ChaCha8Rng::from_seed(key))
    }

    /// The next number, times 2^64.
    ///
    /// Algorithm S of Knuth, The Art of Computer Programming, volume 2, section 3.4.1: with j leading one bits in a
    /// uniform number and U the bits that follow the first zero, the result is (j + V) ln 2, where V is the least of
    /// as many uniform numbers as the sums below tell for U; when U is below ln 2, j ln 2 + U is the result itself.
    pub(crate) fn next_q64(&mut self) -> u128 {
        let bits = self.0.next_u64();
        let ones = bits.leading_ones();
        // All 64 bits are ones once in 10^19 numbers; U is then 0.
        let uniform = bits.checked_shl(ones + 1).unwrap_or(0);
        let whole = u128::from(ones) * u128::from(LN_2_SUMS[0]);
        if uniform < LN_2_SUMS[0] {
            return whole + u128::from(uniform);
        }
        let mut least = self.0.next_u64().min(self.0.next_u64());
        for sum in &LN_2_SUMS[1..] {
            if uniform < *sum {
                break;
            }
            least = least.min(self.0.next_u64());
        }
        whole + ((u128::from(least) * u128::from(LN_2_SUMS[0])) >> 64)
    }
}

/// ln 2 / 1! + (ln 2)² / 2! + … + (ln 2)^k / k!, times 2^64, for k from 1; they tend to 1, and the last is the first
/// that no 64-bit number reaches.
const LN_2_SUMS: [u64; 18] = [
    0xb172_17f7_d1cf_79ac,
    0xeef1_93f6_d75a_96fd,
    0xfd27_1862_59aa_f6c2,
    0xff9d_6dd0_50f4_c5a7,
    0xfff4_cfcf_ef1e_626c,
    0xfffe_e818_86e1_c62f,
    0xffff_e7fe_850e_0bb6,
    0xffff_fe2a_8731_b17e,
    0xffff_ffdf_ac6e_eadc,
    0xffff_fffd_f964_0068,
    0xffff_ffff_e22e_c79d,
    0xffff_ffff_fe6a_9dee,
    0xffff_ffff_ffeb_ff81,
    0xffff_ffff_ffff_1417,
    0xffff_ffff_ffff_f5cf,
    0xffff_ffff_ffff_ff96,
    0xffff_ffff_ffff_fffc,
    0xffff_ffff_ffff_ffff,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_series() {
        let (mut term, mut sum) = (1.0, 0.0);
        for (index, &fixed) in LN_2_SUMS.iter().enumerate() {
            term *= std::f64::consts::LN_2 / (index + 1) as f64;
            sum += term;
            assert!((fixed as f64 / 2_f64.powi(64) - sum).abs() < 1e-15, "sum {index}");
        }
    }

    #[test]
    fn numbers_are_distributed_exponentially() {
        for seed in [5, 6, 7] {
            let mut source = Exponential::new(seed);
            let count = 200_000;
            let mut numbers: Vec<f64> = (0..count).map(|_| source.next_q64() as f64 / 2_f64.powi(64)).collect();
            numbers.sort_by(f64::total_cmp);
            // Kolmogorov-Smirnov: the greatest distance to 1 - e^-x stays below 1.95 / sqrt(n) in 999 of 1000 samples.
            let distance = numbers
                .iter()
                .enumerate()
                .map(|(rank, x)| (1.0 - (-x).exp() - (rank as f64 + 0.5) / f64::from(count)).abs())
                .fold(0.0, f64::max);
            assert!(
                distance < 1.95 / f64::from(count).sqrt(),
                "seed {seed}: distance {distance}"
            );
        }
    }
}
